// Schedules pods with kube-scheduler's own filters on nodes that exist or that Karpenter's own provisioner creates, in random orders, until nothing
// moves; and says how many pods of each workload are scheduled where.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	karpenter "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// One case: everything but the pods is there from the beginning.
type asked struct {
	Nodes   []*v1.Node            `json:"nodes"`
	Pods    [][]*v1.Pod           `json:"pods"`
	Daemons []*appsv1.DaemonSet   `json:"daemons"`
	Pools   []*karpenter.NodePool `json:"pools"`
	Cloud   cloud                 `json:"cloud"`
	Seeds   []int64               `json:"seeds"`
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	ctx := context.Background()
	now := &cluster{Snapshot: cache.NewEmptySnapshot()}
	scheduler := newFramework(ctx, now)
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := json.NewEncoder(os.Stdout)
	for {
		var in asked
		if err := input.Decode(&in); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		in.Cloud.prepare()
		answer := [][]map[string]int{}
		for _, seed := range in.Seeds {
			answer = append(answer, newRun(scheduler, now, &in, seed).untilNothingMoves())
		}
		if err := output.Encode(answer); err != nil {
			panic(err)
		}
	}
}
