package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeaffinity"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodename"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeports"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/nodeunschedulable"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// The filters that decide where a pod can run; the last two are needed to make a scheduler at all.
func filters() runtime.Registry {
	features := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	return runtime.Registry{
		nodeunschedulable.Name: runtime.FactoryAdapter(features, nodeunschedulable.New),
		nodename.Name:          runtime.FactoryAdapter(features, nodename.New),
		tainttoleration.Name:   runtime.FactoryAdapter(features, tainttoleration.New),
		nodeaffinity.Name:      runtime.FactoryAdapter(features, nodeaffinity.New),
		nodeports.Name:         runtime.FactoryAdapter(features, nodeports.New),
		noderesources.Name:     runtime.FactoryAdapter(features, noderesources.NewFit),
		podtopologyspread.Name: runtime.FactoryAdapter(features, podtopologyspread.New),
		interpodaffinity.Name:  runtime.FactoryAdapter(features, interpodaffinity.New),
		queuesort.Name:         queuesort.New,
		defaultbinder.Name:     defaultbinder.New,
	}
}

// What the plugins see: the cluster changes with every node that joins and every pod that is bound.
type cluster struct {
	*cache.Snapshot
	nodes []*v1.Node
	pods  []*v1.Pod
}

func (c *cluster) begin() {
	c.nodes, c.pods, c.Snapshot = nil, nil, cache.NewEmptySnapshot()
}

func (c *cluster) join(node *v1.Node) {
	c.nodes = append(c.nodes, node)
	c.Snapshot = cache.NewSnapshot(c.pods, c.nodes)
}

func (c *cluster) bind(pod *v1.Pod) {
	c.pods = append(c.pods, pod)
	c.Snapshot = cache.NewSnapshot(c.pods, c.nodes)
}

// A profile of these filters with their default arguments.
func profile(registry runtime.Registry) *config.KubeSchedulerProfile {
	defaults, err := latest.Default()
	if err != nil {
		panic(err)
	}
	made := &config.KubeSchedulerProfile{SchedulerName: v1.DefaultSchedulerName, Plugins: &config.Plugins{}}
	for name := range registry {
		made.Plugins.MultiPoint.Enabled = append(made.Plugins.MultiPoint.Enabled, config.Plugin{Name: name})
	}
	for _, arguments := range defaults.Profiles[0].PluginConfig {
		if _, known := registry[arguments.Name]; known {
			made.PluginConfig = append(made.PluginConfig, arguments)
		}
	}
	return made
}

// The nodes that a pod can be scheduled on now.
func feasible(ctx context.Context, scheduler framework.Framework, now *cluster, pod *v1.Pod) []string {
	state := framework.NewCycleState()
	only, status, _ := scheduler.RunPreFilterPlugins(ctx, state, pod)
	if !status.IsSuccess() {
		return nil
	}
	infos, err := now.NodeInfos().List()
	if err != nil {
		panic(err)
	}
	var found []string
	for _, info := range infos {
		name := info.Node().Name
		if only != nil && !only.AllNodes() && !only.NodeNames.Has(name) {
			continue
		}
		if scheduler.RunFilterPlugins(ctx, state, pod, info).IsSuccess() {
			found = append(found, name)
		}
	}
	return found
}

// kube-scheduler's framework over what the cluster is now.
func newFramework(ctx context.Context, now *cluster) framework.Framework {
	metrics.Register()
	client, registry := fake.NewClientset(), filters()
	for _, namespace := range namespaces() {
		if err := client.Tracker().Add(&namespace); err != nil {
			panic(err)
		}
	}
	informers := informers.NewSharedInformerFactory(client, 0)
	made, err := runtime.NewFramework(ctx, registry, profile(registry),
		runtime.WithClientSet(client),
		runtime.WithInformerFactory(informers),
		runtime.WithSnapshotSharedLister(now),
		runtime.WithParallelism(1),
	)
	if err != nil {
		panic(err)
	}
	informers.Start(ctx.Done())
	informers.WaitForCacheSync(ctx.Done())
	return made
}
