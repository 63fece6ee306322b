// Schedules pods on nodes with kube-scheduler's own filters, in random orders, and says how many of each workload are scheduled.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
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

type asked struct {
	Nodes []*v1.Node  `json:"nodes"`
	Pods  [][]*v1.Pod `json:"pods"`
	Seeds []int64     `json:"seeds"`
}

// What the plugins see: the cluster changes with every pod that is scheduled.
type cluster struct {
	*cache.Snapshot
	nodes []*v1.Node
	pods  []*v1.Pod
}

func (c *cluster) begin(nodes []*v1.Node) {
	c.nodes, c.pods, c.Snapshot = nodes, nil, cache.NewSnapshot(nil, nodes)
}

func (c *cluster) add(pod *v1.Pod) {
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

type waiting struct {
	workload int
	pod      *v1.Pod
}

// Schedules all pods in a random order on random feasible nodes, again and again until no Pending pod can be scheduled any more.
func schedule(ctx context.Context, scheduler framework.Framework, now *cluster, in asked, seed int64) []int {
	random := rand.New(rand.NewSource(seed))
	now.begin(in.Nodes)
	var queue []waiting
	for workload, pods := range in.Pods {
		for number, pod := range pods {
			copied := pod.DeepCopy()
			copied.UID = types.UID(fmt.Sprintf("%d-%d", workload, number))
			queue = append(queue, waiting{workload, copied})
		}
	}
	random.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })
	scheduled := make([]int, len(in.Pods))
	for progress := true; progress; {
		progress = false
		var left []waiting
		for _, one := range queue {
			nodes := feasible(ctx, scheduler, now, one.pod)
			if len(nodes) == 0 {
				left = append(left, one)
				continue
			}
			one.pod.Spec.NodeName = nodes[random.Intn(len(nodes))]
			now.add(one.pod)
			scheduled[one.workload]++
			progress = true
		}
		queue = left
	}
	return scheduled
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	ctx := context.Background()
	metrics.Register()
	now := &cluster{Snapshot: cache.NewEmptySnapshot()}
	client, registry := fake.NewClientset(), filters()
	scheduler, err := runtime.NewFramework(ctx, registry, profile(registry),
		runtime.WithClientSet(client),
		runtime.WithInformerFactory(informers.NewSharedInformerFactory(client, 0)),
		runtime.WithSnapshotSharedLister(now),
		runtime.WithParallelism(1),
	)
	if err != nil {
		panic(err)
	}
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := json.NewEncoder(os.Stdout)
	for {
		var in asked
		if err := input.Decode(&in); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		answer := [][]int{}
		for _, seed := range in.Seeds {
			answer = append(answer, schedule(ctx, scheduler, now, in, seed))
		}
		if err := output.Encode(answer); err != nil {
			panic(err)
		}
	}
}
