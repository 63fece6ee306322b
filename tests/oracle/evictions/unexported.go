package main

import (
	"context"
	_ "unsafe" // for go:linkname

	"k8s.io/apiserver/pkg/registry/rest"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

// One pass of the controller over one PodDisruptionBudget.
//
//go:linkname sync k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).sync
func sync(controller *disruption.DisruptionController, ctx context.Context, key string) error

// The eviction subresource over any storage of pods.
//
//go:linkname newEvictionStorage k8s.io/kubernetes/pkg/registry/core/pod/storage.newEvictionStorage
func newEvictionStorage(store rest.StandardStorage, budgets policyclient.PodDisruptionBudgetsGetter) *storage.EvictionREST
