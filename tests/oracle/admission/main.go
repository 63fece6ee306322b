// What the API server's own code says of a new object: it is decoded, defaulted, converted and validated by the strategy of its kind.
// Claims of devices are made in a namespace whose label allows `adminAccess`.
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

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	clientv1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/batch/cronjob"
	"k8s.io/kubernetes/pkg/registry/batch/job"
	"k8s.io/kubernetes/pkg/registry/core/limitrange"
	"k8s.io/kubernetes/pkg/registry/core/namespace"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolume"
	"k8s.io/kubernetes/pkg/registry/core/persistentvolumeclaim"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/node/runtimeclass"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"k8s.io/kubernetes/pkg/registry/resource/deviceclass"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaim"
	"k8s.io/kubernetes/pkg/registry/resource/resourceclaimtemplate"
	"k8s.io/kubernetes/pkg/registry/resource/resourceslice"
	"k8s.io/kubernetes/pkg/registry/scheduling/podgroup"
	"k8s.io/kubernetes/pkg/registry/scheduling/priorityclass"
	"k8s.io/kubernetes/pkg/registry/storage/storageclass"
)

var strategies = map[string]rest.RESTCreateStrategy{
	"Pod": pod.Strategy, "Deployment": deployment.Strategy, "StatefulSet": statefulset.Strategy, "DaemonSet": daemonset.Strategy,
	"ReplicaSet": replicaset.Strategy, "Job": job.Strategy, "CronJob": cronjob.Strategy,
	"HorizontalPodAutoscaler": horizontalpodautoscaler.Strategy, "LimitRange": limitrange.Strategy, "Namespace": namespace.Strategy,
	"PersistentVolume": persistentvolume.Strategy, "PersistentVolumeClaim": persistentvolumeclaim.Strategy, "ResourceQuota": resourcequota.Strategy,
	"RuntimeClass": runtimeclass.Strategy, "PodDisruptionBudget": poddisruptionbudget.Strategy, "DeviceClass": deviceclass.Strategy,
	"ResourceClaim": resourceclaim.NewStrategy(namespaces{}, nil), "ResourceClaimTemplate": resourceclaimtemplate.NewStrategy(namespaces{}),
	"ResourceSlice": resourceslice.Strategy, "PodGroup": podgroup.NewStrategy(), "PriorityClass": priorityclass.Strategy,
	"StorageClass": storageclass.Strategy,
}

type namespaces struct{ clientv1.NamespaceInterface }

func (namespaces) Get(_ context.Context, name string, _ metav1.GetOptions) (*corev1.Namespace, error) {
	labels := map[string]string{"resource.kubernetes.io/admin-access": "true"}
	return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}, nil
}

// Why the object is refused; empty if it is accepted.
func refusal(written []byte) string {
	object, kind, err := legacyscheme.Codecs.UniversalDecoder().Decode(written, nil, nil)
	if err != nil {
		return err.Error()
	}
	accessor := object.(metav1.ObjectMetaAccessor).GetObjectMeta()
	in := ""
	if strategies[kind.Kind].NamespaceScoped() {
		in = "default"
	}
	accessor.SetNamespace(in)
	rest.FillObjectMetaSystemFields(accessor)
	ctx := genericapirequest.WithNamespace(context.Background(), in)
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
