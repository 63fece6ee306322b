package main

import (
	"context"
	"fmt"
	"math/rand"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
)

const (
	mostRounds  = 300
	mostUseless = 20
	tries       = 40
)

type waiting struct {
	workload int
	pod      *v1.Pod
}

// One history of a case: which pods come together, which node is ready first and which machine the cloud provides are decided at random.
type run struct {
	ctx        context.Context
	in         *asked
	random     *rand.Rand
	scheduler  framework.Framework
	now        *cluster
	autoscaler *autoscaler // nil without NodePools
	coming     []waiting
	pending    []waiting
	daemons    []*v1.Pod
	isFirst    bool // the pods of DaemonSets are on each node before others
	scheduled  []map[string]int
}

func newRun(scheduler framework.Framework, now *cluster, in *asked, seed int64) *run {
	now.begin()
	r := &run{ctx: context.Background(), in: in, random: rand.New(rand.NewSource(seed)), scheduler: scheduler, now: now}
	if len(in.Pools) > 0 {
		r.autoscaler = newAutoscaler(in, r.random)
	}
	for workload, pods := range in.Pods {
		r.scheduled = append(r.scheduled, map[string]int{})
		for number, pod := range pods {
			copied := pod.DeepCopy()
			copied.UID = types.UID(fmt.Sprintf("%d-%d", workload, number))
			copied.Status.Conditions = []v1.PodCondition{{Type: v1.PodScheduled, Status: v1.ConditionFalse, Reason: v1.PodReasonUnschedulable}}
			r.coming = append(r.coming, waiting{workload, copied})
		}
	}
	r.random.Shuffle(len(r.coming), func(i, j int) { r.coming[i], r.coming[j] = r.coming[j], r.coming[i] })
	r.isFirst = r.random.Intn(3) == 0
	for _, node := range in.Nodes {
		r.join(node.DeepCopy())
	}
	return r
}

// The pods of each workload by the pool or node where they are, when nothing changes any more.
func (r *run) untilNothingMoves() []map[string]int {
	together, tried, useless := r.together(), 0, 0
	for range mostRounds {
		if r.bindAll() {
			tried, useless = 0, 0
			continue
		}
		// Karpenter launches one node after the other if the pods of a DaemonSet keep the others from each.
		if useless < mostUseless && r.provision() {
			tried, useless = 0, useless+1
			continue
		}
		if tried++; tried < tries && r.chooses() {
			continue
		}
		if len(r.coming) == 0 {
			return r.scheduled
		}
		next := min(together(), len(r.coming))
		for _, one := range r.coming[:next] {
			r.pending = append(r.pending, one)
			if r.autoscaler != nil {
				r.autoscaler.objects.pods = append(r.autoscaler.objects.pods, one.pod)
			}
		}
		r.coming = r.coming[next:]
	}
	panic("the schedulers do not come to an end")
}

// Karpenter takes any of the domains with the fewest pods for each constraint. Two choices that exclude each other can agree the next time it tries.
func (r *run) chooses() bool {
	if r.autoscaler == nil {
		return false
	}
	for _, one := range r.pending {
		if choices(one.pod) > 1 {
			return true
		}
	}
	return false
}

// The constraints of a pod for each of which a domain is chosen.
func choices(pod *v1.Pod) int {
	var keys []string
	for _, spread := range pod.Spec.TopologySpreadConstraints {
		if spread.WhenUnsatisfiable == v1.DoNotSchedule {
			keys = append(keys, spread.TopologyKey)
		}
	}
	if affinity := pod.Spec.Affinity; affinity != nil && affinity.PodAffinity != nil {
		for _, term := range affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution {
			keys = append(keys, term.TopologyKey)
		}
	}
	count := 0
	for _, key := range keys {
		if key != v1.LabelHostname {
			count++
		}
	}
	return count
}

// How many pods come at once: all, one, or any number.
func (r *run) together() func() int {
	switch r.random.Intn(3) {
	case 0:
		return func() int { return len(r.coming) }
	case 1:
		return func() int { return 1 }
	}
	return func() int { return 1 + r.random.Intn(len(r.coming)) }
}

// A node is ready; its DaemonSets' pods come with it, and are bound first or not.
func (r *run) join(node *v1.Node) {
	r.now.join(node)
	if r.autoscaler != nil {
		r.autoscaler.join(r.ctx, node)
	}
	for _, set := range r.in.Daemons {
		r.daemons = append(r.daemons, daemonPod(set.Name, set.UID, set.Spec.Template, node.Name))
	}
	if r.isFirst || r.random.Intn(4) > 0 {
		r.bindDaemons()
	}
}

func daemonPod(set string, uid types.UID, template v1.PodTemplateSpec, node string) *v1.Pod {
	pod := &v1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
	pod.Name, pod.Namespace, pod.UID = set+"-"+node, "default", types.UID(set+"-"+node)
	controller := true
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "DaemonSet", Name: set, UID: uid, Controller: &controller}}
	pod.Spec.Tolerations = append(pod.Spec.Tolerations, v1.Toleration{Key: v1.TaintNodeUnschedulable, Operator: v1.TolerationOpExists})
	return pod
}

func (r *run) bindDaemons() {
	var left []*v1.Pod
	for _, pod := range r.daemons {
		bound := false
		for _, node := range feasible(r.ctx, r.scheduler, r.now, pod) {
			if bound = pod.UID == types.UID(pod.OwnerReferences[0].Name+"-"+node); bound {
				r.bind(pod, node)
				break
			}
		}
		if !bound {
			left = append(left, pod)
		}
	}
	r.daemons = left
}

func (r *run) bind(pod *v1.Pod, node string) {
	pod.Spec.NodeName, pod.Status.Conditions = node, nil
	r.now.bind(pod)
	if r.autoscaler != nil {
		r.autoscaler.bind(r.ctx, pod)
	}
}

// kube-scheduler tries every pending pod once; it takes any of the nodes that pass, because the order that scores give is none that can be relied on.
func (r *run) bindAll() bool {
	r.random.Shuffle(len(r.pending), func(i, j int) { r.pending[i], r.pending[j] = r.pending[j], r.pending[i] })
	var left []waiting
	for _, one := range r.pending {
		nodes := feasible(r.ctx, r.scheduler, r.now, one.pod)
		if len(nodes) == 0 {
			left = append(left, one)
			continue
		}
		node := nodes[r.random.Intn(len(nodes))]
		r.bind(one.pod, node)
		r.scheduled[one.workload][r.placeOf(node)]++
	}
	moved := len(left) < len(r.pending)
	r.pending = left
	r.bindDaemons()
	return moved
}

// The NodePool of a node, or the node itself.
func (r *run) placeOf(name string) string {
	for _, node := range r.now.nodes {
		if node.Name == name && node.Labels[karpenter.NodePoolLabelKey] != "" {
			return node.Labels[karpenter.NodePoolLabelKey]
		}
	}
	return name
}

// Karpenter plans nodes for the pods that are pending, and the cloud provides them one after the other.
func (r *run) provision() bool {
	if r.autoscaler == nil || len(r.pending) == 0 {
		return false
	}
	nodes := r.autoscaler.provision(r.ctx)
	gradually := r.random.Intn(2) == 0
	for _, node := range nodes {
		r.join(node)
		if gradually {
			r.bindAll()
		}
	}
	return len(nodes) > 0
}
