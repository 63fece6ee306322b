// Ground truth for placement: Karpenter's own scheduling library and kube-scheduler's own matching, asked over stdin and stdout.
//
// The first line describes the machines. Each further line is one pod with NodePools and nodes; each answer is one line, in the same order.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"
	"strconv"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	scheduler "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/apis/v1alpha1"
	provisioning "sigs.k8s.io/karpenter/pkg/controllers/provisioning/scheduling"
	"sigs.k8s.io/karpenter/pkg/scheduling"
	"sigs.k8s.io/karpenter/pkg/utils/nodepool"
)

// A Type is a machine: its labels, and exactly what pods can ask of it.
type Type struct {
	Name      string            `json:"name"`
	Labels    map[string]string `json:"labels"`
	Resources map[string]string `json:"resources"`

	requirements scheduling.Requirements
	offers       corev1.ResourceList
}

// A World is what all cases share.
type World struct {
	Types         []*Type  `json:"types"`
	WellKnown     []string `json:"wellKnown"`
	Restricted    []string `json:"restricted"`
	Zones         []string `json:"zones"`
	CapacityTypes []string `json:"capacityTypes"`
	Region        string   `json:"region"`

	typeKeys map[string]bool
}

// A Case is a pod and the pools that it may choose among.
type Case struct {
	Pod   corev1.PodSpec `json:"pod"`
	Pools []*v1.NodePool `json:"pools"`
	Nodes []*corev1.Node `json:"nodes"`
	// NodeOverlays; with them, the answer is about the machines only.
	Overlays []*v1alpha1.NodeOverlay `json:"overlays"`
}

// An Answer says for each pool whether Karpenter starts a node that the pod then lands on, and at which attempt, or whether it could land on a
// node of the pool that some other pod had started; and for each node whether kube-scheduler takes it.
type Answer struct {
	Fits     []bool `json:"fits"`
	Attempt  []int  `json:"attempt"`
	Existing []bool `json:"existing"`
	Ignored  bool   `json:"ignored"`
	Taken    string `json:"taken"`
	Nodes    []bool `json:"nodes"`
	// What each machine has in each NodePool, in thousandths.
	Overlaid map[string]map[string]map[string]int64 `json:"overlaid"`
	// Seconds of processor time that the answer took, reading and writing it aside.
	Seconds float64 `json:"seconds"`
}

var former = map[string]string{
	"failure-domain.beta.kubernetes.io/zone":   corev1.LabelTopologyZone,
	"failure-domain.beta.kubernetes.io/region": corev1.LabelTopologyRegion,
	"beta.kubernetes.io/arch":                  corev1.LabelArchStable,
	"beta.kubernetes.io/os":                    corev1.LabelOSStable,
	"beta.kubernetes.io/instance-type":         corev1.LabelInstanceTypeStable,
}

func main() {
	klog.LogToStderr(false)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	if !in.Scan() {
		log.Fatal("no world")
	}
	world := &World{typeKeys: map[string]bool{}}
	if err := json.Unmarshal(in.Bytes(), world); err != nil {
		log.Fatal(err)
	}
	world.prepare()
	for in.Scan() {
		var asked Case
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		before := processor()
		told := world.answer(&asked)
		told.Seconds = processor() - before
		answer, err := json.Marshal(told)
		if err != nil {
			log.Fatal(err)
		}
		_, _ = out.Write(append(answer, '\n'))
		_ = out.Flush()
	}
}

// processor is the time that this process has used, in seconds.
func processor() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

func (w *World) prepare() {
	v1.WellKnownLabels.Insert(w.WellKnown...)
	v1.RestrictedLabelDomains.Insert(w.Restricted...)
	for _, known := range w.Types {
		for key := range known.Labels {
			w.typeKeys[key] = true
		}
	}
	for _, known := range w.Types {
		known.requirements = scheduling.NewLabelRequirements(known.Labels)
		known.requirements.Add(
			scheduling.NewRequirement(corev1.LabelTopologyZone, corev1.NodeSelectorOpIn, w.Zones...),
			scheduling.NewRequirement(corev1.LabelTopologyRegion, corev1.NodeSelectorOpIn, w.Region),
			scheduling.NewRequirement(v1.CapacityTypeLabelKey, corev1.NodeSelectorOpIn, w.CapacityTypes...),
		)
		for key := range w.typeKeys {
			if _, ok := known.Labels[key]; !ok {
				known.requirements.Add(scheduling.NewRequirement(key, corev1.NodeSelectorOpDoesNotExist))
			}
		}
		known.offers = corev1.ResourceList{}
		for name, amount := range known.Resources {
			known.offers[corev1.ResourceName(name)] = resource.MustParse(amount)
		}
	}
}

func (w *World) answer(asked *Case) *Answer {
	pod := &corev1.Pod{Spec: asked.Pod}
	answer := &Answer{Ignored: ignored(pod)}
	if len(asked.Overlays) > 0 {
		answer.Overlaid = w.overlaid(asked)
		return answer
	}
	for _, node := range asked.Nodes {
		answer.Nodes = append(answer.Nodes, takes(pod, node))
	}
	for _, pool := range asked.Pools {
		attempt, fits := -1, false
		if !answer.Ignored {
			attempt, fits = w.lands(pod, pool, nil)
		}
		answer.Fits, answer.Attempt = append(answer.Fits, fits), append(answer.Attempt, attempt)
		answer.Existing = append(answer.Existing, fits || w.exists(pod, pool))
	}
	answer.Taken = w.first(asked, answer)
	return answer
}

// first is the pool that the first successful attempt takes, in Karpenter's own order of pools.
func (w *World) first(asked *Case, answer *Answer) string {
	attempts := map[string]int{}
	earliest := -1
	for i, pool := range asked.Pools {
		if answer.Fits[i] {
			attempts[pool.Name] = answer.Attempt[i]
			if earliest < 0 || answer.Attempt[i] < earliest {
				earliest = answer.Attempt[i]
			}
		}
	}
	ordered := append([]*v1.NodePool{}, asked.Pools...)
	nodepool.OrderByWeight(ordered)
	for _, pool := range ordered {
		if attempt, ok := attempts[pool.Name]; ok && attempt == earliest {
			return pool.Name
		}
	}
	return ""
}

// lands tells at which attempt Karpenter starts a node of the pool that kube-scheduler then puts the pod on.
func (w *World) lands(pod *corev1.Pod, pool *v1.NodePool, taints func(corev1.Taint) bool) (int, bool) {
	relaxed := pod.DeepCopy()
	preferences := provisioning.Preferences{ToleratePreferNoSchedule: true}
	for attempt := 0; ; attempt++ {
		if w.starts(pod, relaxed, pool, taints) {
			return attempt, true
		}
		if !preferences.Relax(context.Background(), relaxed) {
			return -1, false
		}
	}
}

// exists tells whether a node of the pool, started for whatever reason, could take the pod: each required term by itself, no preference,
// hard taints only.
func (w *World) exists(pod *corev1.Pod, pool *v1.NodePool) bool {
	hard := func(taint corev1.Taint) bool { return taint.Effect != corev1.TaintEffectPreferNoSchedule }
	bare := pod.DeepCopy()
	if bare.Spec.Affinity == nil || bare.Spec.Affinity.NodeAffinity == nil {
		_, ok := w.lands(bare, pool, hard)
		return ok
	}
	affinity := bare.Spec.Affinity.NodeAffinity
	affinity.PreferredDuringSchedulingIgnoredDuringExecution = nil
	if affinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		_, ok := w.lands(bare, pool, hard)
		return ok
	}
	for _, term := range affinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		alone := bare.DeepCopy()
		wanted := alone.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
		wanted.NodeSelectorTerms = []corev1.NodeSelectorTerm{unnamed(term)}
		if empty(wanted.NodeSelectorTerms[0]) && !empty(term) {
			alone.Spec.Affinity = nil
		}
		if _, ok := w.lands(alone, pool, hard); ok {
			return true
		}
	}
	return false
}

// unnamed is a term without what it says of the node's name: a node of any name may be there.
func unnamed(term corev1.NodeSelectorTerm) corev1.NodeSelectorTerm {
	kept := corev1.NodeSelectorTerm{}
	for _, one := range term.MatchExpressions {
		if one.Key != corev1.LabelHostname || one.Operator != corev1.NodeSelectorOpIn {
			kept.MatchExpressions = append(kept.MatchExpressions, one)
		}
	}
	return kept
}

func empty(term corev1.NodeSelectorTerm) bool {
	return len(term.MatchExpressions) == 0 && len(term.MatchFields) == 0
}

func (w *World) starts(original, pod *corev1.Pod, pool *v1.NodePool, counts func(corev1.Taint) bool) bool {
	taints := scheduling.Taints{}
	for _, taint := range pool.Spec.Template.Spec.Taints {
		if counts == nil || counts(taint) {
			taints = append(taints, taint)
		}
	}
	if taints.ToleratesPod(pod) != nil {
		return false
	}
	offered := scheduling.NewNodeSelectorRequirementsWithMinValues(pool.Spec.Template.Spec.Requirements...)
	offered.Add(scheduling.NewLabelRequirements(pool.Spec.Template.Labels).Values()...)
	offered.Add(scheduling.NewRequirement(v1.NodePoolLabelKey, corev1.NodeSelectorOpIn, pool.Name))
	wanted := scheduling.NewPodRequirements(pod)
	if offered.Compatible(wanted, scheduling.AllowUndefinedWellKnownLabels) != nil {
		return false
	}
	both := scheduling.NewRequirements(offered.Values()...)
	both.Add(wanted.Values()...)
	left := distinct{}
	landed := false
	for _, known := range w.Types {
		if known.requirements.Intersects(offered) != nil || !within(pool, known) {
			continue
		}
		if known.requirements.Intersects(both) != nil || !known.holds(pod) {
			continue
		}
		if hosts, offering := w.hosts(original, both, known); offering {
			landed = landed || hosts
			left.count(both, known)
		}
	}
	if counts != nil { // a node of the pool that is there already: which policy of minValues it was started under is not known
		return landed
	}
	return landed && left.enough(both)
}

// distinct are the values of each label of which a number must remain.
type distinct map[string]map[string]bool

func (d distinct) count(requirements scheduling.Requirements, known *Type) {
	for key, requirement := range requirements {
		if requirement.MinValues == nil {
			continue
		}
		if d[key] == nil {
			d[key] = map[string]bool{}
		}
		for _, value := range known.requirements.Get(key).Values() {
			d[key][value] = true
		}
	}
}

func (d distinct) enough(requirements scheduling.Requirements) bool {
	for key, requirement := range requirements {
		if requirement.MinValues != nil && len(d[key]) < *requirement.MinValues {
			return false
		}
	}
	return true
}

// within tells whether the first node of a type stays within the limits of the pool.
func within(pool *v1.NodePool, known *Type) bool {
	for name, limit := range pool.Spec.Limits {
		if has, ok := known.offers[name]; ok && has.Cmp(limit) > 0 {
			return false
		}
	}
	return true
}

func (t *Type) holds(pod *corev1.Pod) bool {
	for _, container := range pod.Spec.Containers {
		for name, amount := range container.Resources.Requests {
			if has, ok := t.offers[name]; !ok || has.Cmp(amount) < 0 {
				return false
			}
		}
	}
	return true
}

// hosts tells whether some node of a type is one that kube-scheduler puts the pod on, and whether the type is offered at all.
func (w *World) hosts(pod *corev1.Pod, both scheduling.Requirements, known *Type) (bool, bool) {
	labels := w.labels(both, known)
	offered := false
	for _, zone := range w.Zones {
		for _, capacity := range w.CapacityTypes {
			offering := scheduling.NewLabelRequirements(map[string]string{corev1.LabelTopologyZone: zone, v1.CapacityTypeLabelKey: capacity})
			if both.Compatible(offering, scheduling.AllowUndefinedWellKnownLabels) != nil {
				continue
			}
			offered = true
			labels[corev1.LabelTopologyZone], labels[v1.CapacityTypeLabelKey] = zone, capacity
			for before, now := range former {
				labels[before] = labels[now]
			}
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node", Labels: labels}}
			if match, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); match && err == nil {
				return true, true
			}
		}
	}
	return false, offered
}

// labels are those of a node: what the requirements leave, and what the type has.
func (w *World) labels(both scheduling.Requirements, known *Type) map[string]string {
	labels := map[string]string{corev1.LabelTopologyRegion: w.Region}
	for key, requirement := range both {
		if w.typeKeys[key] || key == corev1.LabelTopologyZone || key == v1.CapacityTypeLabelKey || key == corev1.LabelTopologyRegion {
			continue
		}
		for try := 0; try < 64; try++ {
			if value := requirement.Any(); value != "" && requirement.Has(value) {
				labels[key] = value
				break
			}
		}
	}
	for key, value := range known.Labels {
		labels[key] = value
	}
	return labels
}

func takes(pod *corev1.Pod, node *corev1.Node) bool {
	if match, err := nodeaffinity.GetRequiredNodeAffinity(pod).Match(node); !match || err != nil {
		return false
	}
	hard := func(taint *corev1.Taint) bool {
		return taint.Effect == corev1.TaintEffectNoSchedule || taint.Effect == corev1.TaintEffectNoExecute
	}
	if _, untolerated := scheduler.FindMatchingUntoleratedTaint(klog.Background(), node.Spec.Taints, pod.Spec.Tolerations, hard, true); untolerated {
		return false
	}
	for _, container := range pod.Spec.Containers {
		for name, amount := range container.Resources.Requests {
			if has, ok := node.Status.Allocatable[name]; !ok || has.Cmp(amount) < 0 {
				return false
			}
		}
	}
	return true
}

// ignored tells whether Karpenter passes the pod over before it looks at any pool.
func ignored(pod *corev1.Pod) bool {
	ctx := context.Background()
	for key, value := range pod.Spec.NodeSelector {
		wanted := v1.NodeSelectorRequirementWithMinValues{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}}
		if v1.ValidateRequirement(ctx, wanted) != nil {
			return true
		}
	}
	if pod.Spec.Affinity != nil && pod.Spec.Affinity.NodeAffinity != nil && pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		for _, term := range pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			if term.MatchFields != nil {
				return true
			}
			for _, one := range term.MatchExpressions {
				wanted := v1.NodeSelectorRequirementWithMinValues{Key: one.Key, Operator: one.Operator, Values: one.Values}
				if v1.ValidateRequirement(ctx, wanted) != nil {
					return true
				}
				for _, value := range one.Values {
					if one.Operator != corev1.NodeSelectorOpIn && one.Operator != corev1.NodeSelectorOpNotIn {
						if _, err := strconv.Atoi(value); err != nil {
							return true
						}
					}
				}
			}
		}
	}
	for _, requirement := range scheduling.NewPodRequirements(pod.DeepCopy()) {
		if requirement.Key == v1.NodePoolLabelKey && requirement.Operator() == corev1.NodeSelectorOpDoesNotExist {
			return true
		}
	}
	return false
}
