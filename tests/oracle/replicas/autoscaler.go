package main

import (
	"context"
	"fmt"
	"math/rand"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/clock"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/controllers/provisioning"
	"sigs.k8s.io/karpenter/pkg/controllers/state"
	"sigs.k8s.io/karpenter/pkg/events"
	"sigs.k8s.io/karpenter/pkg/operator/options"
	"sigs.k8s.io/karpenter/pkg/test/v1alpha1"
)

// Karpenter's provisioner with its own view of the cluster, without its controllers: nodes are launched and registered here.
type autoscaler struct {
	objects     *objects
	cloud       *cloud
	random      *rand.Rand
	state       *state.Cluster
	provisioner *provisioning.Provisioner
}

func newAutoscaler(in *asked, random *rand.Rand) *autoscaler {
	made := &objects{daemons: in.Daemons}
	for _, pool := range in.Pools {
		made.pools = append(made.pools, ready(pool.DeepCopy()))
	}
	known := state.NewCluster(clock.RealClock{}, made, &in.Cloud)
	recorder := events.NewRecorder(&record.FakeRecorder{})
	return &autoscaler{made, &in.Cloud, random, known, provisioning.NewProvisioner(made, recorder, &in.Cloud, known, clock.RealClock{}, nil)}
}

func ready(pool *karpenter.NodePool) *karpenter.NodePool {
	pool.Spec.Template.Spec.NodeClassRef = &karpenter.NodeClassReference{Group: v1alpha1.Group, Kind: "TestNodeClass", Name: "default"}
	for _, condition := range []string{karpenter.ConditionTypeValidationSucceeded, karpenter.ConditionTypeNodeClassReady} {
		pool.StatusConditions().SetTrue(condition)
	}
	return pool
}

// The options with which Karpenter starts by default.
func withOptions(ctx context.Context) context.Context {
	return options.ToContext(ctx, &options.Options{
		CPURequests:       1000,
		PreferencePolicy:  options.PreferencePolicyRespect,
		MinValuesPolicy:   options.MinValuesPolicyStrict,
		IgnoreDRARequests: true,
		FeatureGates:      options.FeatureGates{ReservedCapacity: true},
	})
}

// The nodes of one provisioning round, in the order in which they are ready.
func (a *autoscaler) provision(ctx context.Context) []*v1.Node {
	ctx = withOptions(ctx)
	planned, err := a.provisioner.Schedule(ctx)
	if err != nil {
		panic(err)
	}
	a.random.Shuffle(len(planned.NewNodeClaims), func(i, j int) {
		planned.NewNodeClaims[i], planned.NewNodeClaims[j] = planned.NewNodeClaims[j], planned.NewNodeClaims[i]
	})
	before := len(a.objects.claims)
	for _, claim := range planned.NewNodeClaims {
		_, _ = a.provisioner.Create(ctx, claim) // an error: a limit is exceeded
	}
	var nodes []*v1.Node
	for _, claim := range a.objects.claims[before:] {
		a.cloud.launch(claim, a.random)
		a.state.UpdateNodeClaim(claim)
		nodes = append(nodes, nodeOf(claim))
	}
	return nodes
}

func nodeOf(claim *karpenter.NodeClaim) *v1.Node {
	labels := map[string]string{}
	for key, value := range claim.Labels {
		labels[key] = value
	}
	labels[v1.LabelHostname] = claim.Name
	labels[karpenter.NodeRegisteredLabelKey], labels[karpenter.NodeInitializedLabelKey] = "true", "true"
	return &v1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: claim.Name, Labels: labels},
		Spec:       v1.NodeSpec{ProviderID: claim.Status.ProviderID, Taints: claim.Spec.Taints},
		Status:     v1.NodeStatus{Capacity: claim.Status.Capacity, Allocatable: claim.Status.Allocatable},
	}
}

func (a *autoscaler) join(ctx context.Context, node *v1.Node) {
	if node.Status.Capacity == nil {
		node.Status.Capacity = node.Status.Allocatable
	}
	a.objects.nodes = append(a.objects.nodes, node)
	if err := a.state.UpdateNode(withOptions(ctx), node); err != nil {
		panic(err)
	}
}

func (a *autoscaler) bind(ctx context.Context, pod *v1.Pod) {
	if len(pod.OwnerReferences) > 0 { // of a DaemonSet; the others are there since they came
		a.objects.pods = append(a.objects.pods, pod)
	}
	if err := a.state.UpdatePod(withOptions(ctx), pod); err != nil {
		panic(fmt.Sprintf("%s: %v", pod.Name, err))
	}
}
