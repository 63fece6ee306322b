// Ground truth for disruption budgets: Karpenter's own NodePool API package with a fixed clock, asked over stdin and stdout.
//
// Each line is one case: a `spec.disruption`, a number of nodes, and instants. Each answer is one line, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"math"
	"os"
	"time"

	clocks "k8s.io/utils/clock/testing"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// A Case is a disruption block, the number of nodes that count, and the instants to ask about.
type Case struct {
	Disruption v1.Disruption `json:"disruption"`
	Nodes      int           `json:"nodes"`
	At         []time.Time   `json:"at"`
}

// An Answer is what the budgets permit at one instant, by reason; nil is unlimited. Broken tells that a budget could not be evaluated.
type Answer struct {
	Allowed map[v1.DisruptionReason]*int `json:"allowed"`
	Broken  bool                         `json:"broken"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var asked Case
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			log.Fatal(err)
		}
		answers := make([]Answer, len(asked.At))
		for i, at := range asked.At {
			answers[i] = answer(&asked, at)
		}
		line, err := json.Marshal(answers)
		if err != nil {
			log.Fatal(err)
		}
		_, _ = out.Write(append(line, '\n'))
		_ = out.Flush()
	}
}

func answer(asked *Case, at time.Time) Answer {
	pool := &v1.NodePool{Spec: v1.NodePoolSpec{Disruption: asked.Disruption}}
	clock := clocks.NewFakeClock(at)
	told := Answer{Allowed: map[v1.DisruptionReason]*int{}}
	for _, reason := range []v1.DisruptionReason{v1.DisruptionReasonDrifted, v1.DisruptionReasonEmpty, v1.DisruptionReasonUnderutilized} {
		allowed, err := pool.GetAllowedDisruptionsByReason(clock, asked.Nodes, reason)
		told.Broken = told.Broken || err != nil
		if allowed == math.MaxInt32 && err == nil {
			told.Allowed[reason] = nil
			continue
		}
		told.Allowed[reason] = &allowed
	}
	return told
}
