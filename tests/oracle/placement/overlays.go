package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
	"sigs.k8s.io/karpenter/pkg/cloudprovider"
	"sigs.k8s.io/karpenter/pkg/controllers/nodeoverlay"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"time"
)

// Offered is a cloud that offers the machines of the world in all zones and capacity types.
type Offered struct {
	cloudprovider.CloudProvider
	world *World
}

func (o *Offered) GetInstanceTypes(context.Context, *v1.NodePool) ([]*cloudprovider.InstanceType, error) {
	types := []*cloudprovider.InstanceType{}
	for _, known := range o.world.Types {
		offerings := cloudprovider.Offerings{}
		for _, zone := range o.world.Zones {
			for _, capacity := range o.world.CapacityTypes {
				offerings = append(offerings, &cloudprovider.Offering{
					Available: true,
					Requirements: scheduling.NewLabelRequirements(map[string]string{
						corev1.LabelTopologyZone: zone, v1.CapacityTypeLabelKey: capacity,
					}),
				})
			}
		}
		types = append(types, &cloudprovider.InstanceType{
			Name: known.Name, Requirements: known.requirements, Capacity: known.offers, Offerings: offerings, Overhead: &cloudprovider.InstanceTypeOverhead{},
		})
	}
	return types, nil
}

// overlaid is what Karpenter's own controller makes of the machines, by NodePool, machine and resource.
func (w *World) overlaid(asked *Case) map[string]map[string]map[string]int64 {
	scheme := runtime.NewScheme()
	for _, group := range []schema.GroupVersion{{Group: "karpenter.sh", Version: "v1"}, {Group: "karpenter.sh", Version: "v1alpha1"}} {
		metav1.AddToGroupVersion(scheme, group)
	}
	scheme.AddKnownTypes(schema.GroupVersion{Group: "karpenter.sh", Version: "v1"}, &v1.NodePool{}, &v1.NodePoolList{})
	scheme.AddKnownTypes(schema.GroupVersion{Group: "karpenter.sh", Version: "v1alpha1"}, &v1alpha1.NodeOverlay{}, &v1alpha1.NodeOverlayList{})
	objects := []client.Object{}
	for _, pool := range asked.Pools {
		objects = append(objects, pool.DeepCopy())
	}
	for _, overlay := range asked.Overlays {
		objects = append(objects, overlay.DeepCopy())
	}
	kube := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).WithStatusSubresource(&v1alpha1.NodeOverlay{}).Build()
	now, cloud, store := clock.NewFakeClock(time.Unix(0, 0)), &Offered{world: w}, nodeoverlay.NewInstanceTypeStore()
	controller := nodeoverlay.NewController(now, kube, cloud, store, state.NewCluster(now, kube, cloud))
	if _, err := controller.Reconcile(context.Background(), reconcile.Request{}); err != nil {
		panic(err)
	}
	found := map[string]map[string]map[string]int64{}
	for _, pool := range asked.Pools {
		types, _ := cloud.GetInstanceTypes(context.Background(), pool)
		types, err := store.ApplyAll(pool.Name, types)
		if err != nil {
			panic(err)
		}
		found[pool.Name] = map[string]map[string]int64{}
		for _, one := range types {
			amounts := map[string]int64{}
			for name, amount := range one.Capacity {
				amounts[string(name)] = amount.MilliValue()
			}
			found[pool.Name][one.Name] = amounts
		}
	}
	return found
}
