// What the API server's own code says of a new object: it is decoded, defaulted, converted and validated by the strategy of its kind.
//
// A real API server with its etcd takes minutes to build; what decides in it is the code that is called here, with objects from stdin.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/pod"
)

var strategies = map[string]rest.RESTCreateStrategy{
	"Pod": pod.Strategy, "Deployment": deployment.Strategy, "StatefulSet": statefulset.Strategy, "DaemonSet": daemonset.Strategy,
	"ReplicaSet": replicaset.Strategy, "Job": job.Strategy, "CronJob": cronjob.Strategy,
}

// Why the object is refused; empty if it is accepted.
func refusal(written []byte) string {
	object, kind, err := legacyscheme.Codecs.UniversalDecoder().Decode(written, nil, nil)
	if err != nil {
		return err.Error()
	}
	accessor := object.(metav1.ObjectMetaAccessor).GetObjectMeta()
	accessor.SetNamespace("default")
	rest.FillObjectMetaSystemFields(accessor)
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{APIGroup: kind.Group, APIVersion: kind.Version, Resource: "any"})
	if err := rest.BeforeCreate(strategies[kind.Kind], ctx, object.(runtime.Object)); err != nil {
		return err.Error()
	}
	return ""
}

func main() {
	klog.SetOutput(io.Discard)
	klog.LogToStderr(false)
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := json.NewEncoder(os.Stdout)
	for {
		var written json.RawMessage
		if err := input.Decode(&written); err == io.EOF {
			return
		} else if err != nil {
			panic(fmt.Sprint(err))
		}
		if err := output.Encode(refusal(written)); err != nil {
			panic(err)
		}
	}
}
