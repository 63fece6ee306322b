package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// The API server that Karpenter's provisioner asks: only what it asks is there.
type objects struct {
	client.Client
	pods    []*v1.Pod
	nodes   []*v1.Node
	pools   []*karpenter.NodePool
	claims  []*karpenter.NodeClaim
	daemons []*appsv1.DaemonSet
}

func (o *objects) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	switch wanted := into.(type) {
	case *karpenter.NodePool:
		for _, pool := range o.pools {
			if pool.Name == key.Name {
				pool.DeepCopyInto(wanted)
				return nil
			}
		}
	case *v1.Node:
		for _, node := range o.nodes {
			if node.Name == key.Name {
				node.DeepCopyInto(wanted)
				return nil
			}
		}
	}
	return errors.NewNotFound(schema.GroupResource{Resource: fmt.Sprintf("%T", into)}, key.Name)
}

func (o *objects) List(_ context.Context, into client.ObjectList, options ...client.ListOption) error {
	asked := client.ListOptions{}
	asked.ApplyOptions(options)
	switch wanted := into.(type) {
	case *v1.PodList:
		wanted.Items = nil
		for _, pod := range o.pods {
			if selects(asked, pod) {
				wanted.Items = append(wanted.Items, *pod.DeepCopy())
			}
		}
	case *karpenter.NodePoolList:
		for _, pool := range o.pools {
			wanted.Items = append(wanted.Items, *pool.DeepCopy())
		}
	case *appsv1.DaemonSetList:
		for _, set := range o.daemons {
			wanted.Items = append(wanted.Items, *set.DeepCopy())
		}
	case *v1.NamespaceList:
		for _, namespace := range namespaces() {
			if asked.LabelSelector == nil || asked.LabelSelector.Matches(labels.Set(namespace.Labels)) {
				wanted.Items = append(wanted.Items, namespace)
			}
		}
	default:
		panic(fmt.Sprintf("a list of %T is asked for", into))
	}
	return nil
}

// The namespaces of every case: each has its name as a label of its own, too.
func namespaces() []v1.Namespace {
	var made []v1.Namespace
	for _, name := range []string{v1.NamespaceDefault, "shop"} {
		namespace := v1.Namespace{}
		namespace.Name, namespace.Labels = name, map[string]string{"team": name, v1.LabelMetadataName: name}
		made = append(made, namespace)
	}
	return made
}

func selects(asked client.ListOptions, pod *v1.Pod) bool {
	if asked.LabelSelector != nil && !asked.LabelSelector.Matches(labels.Set(pod.Labels)) {
		return false
	}
	if asked.FieldSelector != nil {
		for _, one := range asked.FieldSelector.Requirements() {
			if one.Field != "spec.nodeName" || one.Value != pod.Spec.NodeName {
				return false
			}
		}
	}
	return asked.Namespace == "" || asked.Namespace == pod.Namespace
}

func (o *objects) Create(_ context.Context, made client.Object, _ ...client.CreateOption) error {
	claim, ok := made.(*karpenter.NodeClaim)
	if !ok {
		panic(fmt.Sprintf("%T is created", made))
	}
	claim.Name = fmt.Sprintf("%s%d", claim.GenerateName, len(o.claims))
	o.claims = append(o.claims, claim)
	return nil
}
