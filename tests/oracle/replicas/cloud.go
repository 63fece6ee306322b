package main

import (
	"context"
	"math/rand"

	"github.com/awslabs/operatorpkg/status"
	v1 "k8s.io/api/core/v1"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/test/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/utils/resources"
)

// A machine type, with what it has and what of it pods can use.
type machine struct {
	Name        string            `json:"name"`
	Labels      map[string]string `json:"labels"`
	Capacity    v1.ResourceList   `json:"capacity"`
	Allocatable v1.ResourceList   `json:"allocatable"`
}

// A cloud that provides any of the machines that Karpenter's plan names.
type cloud struct {
	cloudprovider.CloudProvider
	Machines      []machine `json:"machines"`
	WellKnown     []string  `json:"wellKnown"`
	Zones         []string  `json:"zones"`
	CapacityTypes []string  `json:"capacityTypes"`
	Region        string    `json:"region"`

	types []*cloudprovider.InstanceType
}

func (c *cloud) prepare() {
	karpenter.WellKnownLabels.Insert(c.WellKnown...)
	keys := map[string]bool{}
	for _, one := range c.Machines {
		for key := range one.Labels {
			keys[key] = true
		}
	}
	for _, one := range c.Machines {
		requirements := scheduling.NewLabelRequirements(one.Labels)
		requirements.Add(
			scheduling.NewRequirement(v1.LabelTopologyZone, v1.NodeSelectorOpIn, c.Zones...),
			scheduling.NewRequirement(v1.LabelTopologyRegion, v1.NodeSelectorOpIn, c.Region),
			scheduling.NewRequirement(karpenter.CapacityTypeLabelKey, v1.NodeSelectorOpIn, c.CapacityTypes...),
		)
		for key := range keys {
			if _, ok := one.Labels[key]; !ok {
				requirements.Add(scheduling.NewRequirement(key, v1.NodeSelectorOpDoesNotExist))
			}
		}
		overhead := &cloudprovider.InstanceTypeOverhead{KubeReserved: resources.Subtract(one.Capacity, one.Allocatable)}
		c.types = append(c.types, &cloudprovider.InstanceType{
			Name: one.Name, Requirements: requirements, Offerings: c.offerings(one), Capacity: one.Capacity, Overhead: overhead,
		})
	}
}

func (c *cloud) offerings(one machine) cloudprovider.Offerings {
	var found cloudprovider.Offerings
	for _, zone := range c.Zones {
		for _, capacity := range c.CapacityTypes {
			labels := map[string]string{v1.LabelTopologyZone: zone, karpenter.CapacityTypeLabelKey: capacity}
			price := one.Capacity.Cpu().AsApproximateFloat64()
			found = append(found, &cloudprovider.Offering{Requirements: scheduling.NewLabelRequirements(labels), Price: price, Available: true})
		}
	}
	return found
}

func (c *cloud) GetInstanceTypes(context.Context, *karpenter.NodePool) ([]*cloudprovider.InstanceType, error) {
	return c.types, nil
}

func (c *cloud) GetSupportedNodeClasses() []status.Object {
	return []status.Object{&v1alpha1.TestNodeClass{}}
}

type offer struct {
	of  *cloudprovider.InstanceType
	one *cloudprovider.Offering
}

// Provides any machine that the claim allows, in any place that it allows.
func (c *cloud) launch(claim *karpenter.NodeClaim, random *rand.Rand) {
	required := scheduling.NewNodeSelectorRequirementsWithMinValues(claim.Spec.Requirements...)
	var offers []offer
	for _, known := range c.types {
		if required.Compatible(known.Requirements, scheduling.AllowUndefinedWellKnownLabels) == nil && resources.Fits(claim.Spec.Resources.Requests, known.Allocatable()) {
			for _, one := range known.Offerings.Available().Compatible(required) {
				offers = append(offers, offer{known, one})
			}
		}
	}
	taken := offers[random.Intn(len(offers))]
	labels := map[string]string{}
	for key, requirement := range taken.of.Requirements {
		if requirement.Operator() == v1.NodeSelectorOpIn {
			labels[key] = requirement.Values()[0]
		}
	}
	for _, requirement := range taken.one.Requirements {
		labels[requirement.Key] = requirement.Any()
	}
	for key, value := range claim.Labels {
		labels[key] = value
	}
	claim.Labels = labels
	claim.Status.ProviderID = "cloud:///" + claim.Name
	claim.Status.Capacity, claim.Status.Allocatable = taken.of.Capacity, taken.of.Allocatable()
}
