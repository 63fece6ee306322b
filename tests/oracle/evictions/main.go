// The disruption controller's own computation of a PodDisruptionBudget's status, and the API server's own answer to an eviction of each pod.
//
// A real API server with its etcd takes minutes to build; what answers in it is the code that is called here, with objects from stdin.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
)

// One state of a namespace.
type asked struct {
	Pods         []*v1.Pod                       `json:"pods"`
	ReplicaSets  []*appsv1.ReplicaSet            `json:"replicaSets"`
	Deployments  []*appsv1.Deployment            `json:"deployments"`
	StatefulSets []*appsv1.StatefulSet           `json:"statefulSets"`
	Budgets      []*policyv1.PodDisruptionBudget `json:"budgets"`
}

type budgetStatus struct {
	Allowed  int32 `json:"allowed"`
	Healthy  int32 `json:"healthy"`
	Desired  int32 `json:"desired"`
	Expected int32 `json:"expected"`
	// The controller could not count the pods.
	Failed bool `json:"failed"`
}

type answer struct {
	Budgets []budgetStatus `json:"budgets"`
	// The HTTP status of an eviction of each pod in this state.
	Evictions []int32 `json:"evictions"`
}

func statusOf(budget *policyv1.PodDisruptionBudget) budgetStatus {
	status := budget.Status
	condition := meta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition)
	failed := condition != nil && condition.Reason == policyv1.SyncFailedReason
	return budgetStatus{status.DisruptionsAllowed, status.CurrentHealthy, status.DesiredHealthy, status.ExpectedPods, failed}
}

func codeOf(status *metav1.Status, err error) int32 {
	if err != nil {
		refused, ok := err.(errors.APIStatus)
		if !ok {
			panic(err)
		}
		return refused.Status().Code
	}
	if status.Status == metav1.StatusSuccess {
		return 200
	}
	return status.Code
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	ctx := context.Background()
	server := newServer(ctx)
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := json.NewEncoder(os.Stdout)
	for number := 0; ; number++ {
		var in asked
		if err := input.Decode(&in); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		if err := output.Encode(server.answer(ctx, fmt.Sprintf("case-%d", number), &in)); err != nil {
			panic(err)
		}
	}
}
