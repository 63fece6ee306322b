package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	scale "k8s.io/client-go/scale/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/apis/core"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/apis/policy"
	"k8s.io/kubernetes/pkg/controller/disruption"
)

// The controller and the eviction subresource over objects in memory. Each state has a namespace of its own.
type server struct {
	client     *fake.Clientset
	informers  informers.SharedInformerFactory
	controller *disruption.DisruptionController
}

func newServer(ctx context.Context) *server {
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 0)
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "DaemonSet"}, meta.RESTScopeNamespace)
	client.Resources = []*metav1.APIResourceList{{GroupVersion: "batch/v1"}, {GroupVersion: "apps/v1"}} // neither has the scale subresource
	scales := &scale.FakeScaleClient{}
	scales.AddReactor("get", "*", func(action clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, errors.NewNotFound(action.GetResource().GroupResource(), "scale")
	})
	var found discovery.DiscoveryInterface = client.Discovery()
	controller := disruption.NewDisruptionController(ctx, factory.Core().V1().Pods(), factory.Policy().V1().PodDisruptionBudgets(),
		factory.Core().V1().ReplicationControllers(), factory.Apps().V1().ReplicaSets(), factory.Apps().V1().Deployments(),
		factory.Apps().V1().StatefulSets(), client, mapper, scales, found)
	return &server{client, factory, controller}
}

func (s *server) answer(ctx context.Context, namespace string, in *asked) answer {
	s.add(ctx, namespace, in)
	var given answer
	for _, budget := range in.Budgets {
		if err := sync(s.controller, ctx, namespace+"/"+budget.Name); err != nil {
			panic(err)
		}
		stored, err := s.client.PolicyV1().PodDisruptionBudgets(namespace).Get(ctx, budget.Name, metav1.GetOptions{})
		if err != nil {
			panic(err)
		}
		given.Budgets = append(given.Budgets, statusOf(stored))
	}
	evictions := newEvictionStorage(pods(in.Pods), s.client.PolicyV1())
	for _, pod := range in.Pods {
		asks := &policy.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: namespace}}
		done, err := evictions.Create(ctx, pod.Name, asks, nil, &metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		status, _ := done.(*metav1.Status)
		given.Evictions = append(given.Evictions, codeOf(status, err))
	}
	return given
}

func (s *server) add(ctx context.Context, namespace string, in *asked) {
	for _, one := range in.Pods {
		one.Namespace = namespace
		keep(s.informers.Core().V1().Pods().Informer(), one)
	}
	for _, one := range in.ReplicaSets {
		one.Namespace = namespace
		keep(s.informers.Apps().V1().ReplicaSets().Informer(), one)
	}
	for _, one := range in.Deployments {
		one.Namespace = namespace
		keep(s.informers.Apps().V1().Deployments().Informer(), one)
	}
	for _, one := range in.StatefulSets {
		one.Namespace = namespace
		keep(s.informers.Apps().V1().StatefulSets().Informer(), one)
	}
	for _, one := range in.Budgets {
		one.Namespace = namespace
		keep(s.informers.Policy().V1().PodDisruptionBudgets().Informer(), one)
		if _, err := s.client.PolicyV1().PodDisruptionBudgets(namespace).Create(ctx, one, metav1.CreateOptions{}); err != nil {
			panic(err)
		}
	}
}

func keep(informer cache.SharedIndexInformer, object any) {
	if err := informer.GetIndexer().Add(object); err != nil {
		panic(err)
	}
}

// The pods of a namespace as the eviction subresource reads them; nothing is deleted.
type stored struct {
	rest.StandardStorage
	pods map[string]*v1.Pod
}

func pods(found []*v1.Pod) *stored {
	by := map[string]*v1.Pod{}
	for _, pod := range found {
		by[pod.Name] = pod
	}
	return &stored{pods: by}
}

func (s *stored) Get(_ context.Context, name string, _ *metav1.GetOptions) (runtime.Object, error) {
	internal := &core.Pod{}
	return internal, corev1.Convert_v1_Pod_To_core_Pod(s.pods[name].DeepCopy(), internal, nil)
}

func (s *stored) Delete(context.Context, string, rest.ValidateObjectFunc, *metav1.DeleteOptions) (runtime.Object, bool, error) {
	return nil, true, nil
}
