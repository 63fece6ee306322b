// Ground truth for the room on nodes of self-managed Karpenter: its own instance types, asked over stdin and stdout.
//
// Each line is one case. Each answer is one line, in the same order.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/aws/aws-sdk-go-v2/aws"
	ec2 "github.com/aws/aws-sdk-go-v2/service/ec2/types"
	v1 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"
	"github.com/aws/karpenter-provider-aws/pkg/operator/options"
	"github.com/aws/karpenter-provider-aws/pkg/providers/instancetype"
	corev1 "k8s.io/api/core/v1"
)

// The part of the nominal memory that the hypervisor takes, as Karpenter assumes unless it is configured otherwise.
const memoryOverhead = 0.075

// A Case is an instance type with the settings of a node class.
type Case struct {
	Type      string                   `json:"type"`
	CPU       int32                    `json:"cpu"`
	MemoryMib int64                    `json:"memoryMib"`
	Arch      string                   `json:"arch"`
	Family    string                   `json:"family"`
	Kubelet   *v1.KubeletConfiguration `json:"kubelet"`
}

// An Answer is the capacity and the allocatable part, in thousandths of cores and in bytes. Known is false for a type without known interfaces.
type Answer struct {
	Known       bool  `json:"known"`
	Pods        int64 `json:"pods"`
	MilliCPU    int64 `json:"milliCPU"`
	MemoryBytes int64 `json:"memoryBytes"`
	DiskBytes   int64 `json:"diskBytes"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	ctx := (&options.Options{VMMemoryOverheadPercent: memoryOverhead}).ToContext(context.Background())
	for in.Scan() {
		var asked Case
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			log.Fatal(err, in.Text())
		}
		line, err := json.Marshal(answer(ctx, &asked))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = out.Write(append(line, '\n'))
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
}

func answer(ctx context.Context, asked *Case) Answer {
	limits, known := instancetype.Limits[asked.Type]
	if !known {
		return Answer{}
	}
	kubelet := asked.Kubelet
	if kubelet == nil {
		kubelet = &v1.KubeletConfiguration{}
	}
	found := instancetype.NewInstanceType(ctx, info(asked, limits), "us-east-1", nil, nil, nil, nil, nil, kubelet.MaxPods, kubelet.PodsPerCore,
		kubelet.KubeReserved, kubelet.SystemReserved, kubelet.EvictionHard, kubelet.EvictionSoft, asked.Family, nil)
	allocatable := found.Allocatable()
	return Answer{
		Known:       true,
		Pods:        allocatable.Pods().Value(),
		MilliCPU:    allocatable.Cpu().MilliValue(),
		MemoryBytes: allocatable.Memory().Value(),
		DiskBytes:   allocatable.Name(corev1.ResourceEphemeralStorage, "").Value(),
	}
}

func info(asked *Case, limits *instancetype.VPCLimits) ec2.InstanceTypeInfo {
	arch := ec2.ArchitectureTypeX8664
	if asked.Arch == "arm64" {
		arch = ec2.ArchitectureTypeArm64
	}
	return ec2.InstanceTypeInfo{
		InstanceType:          ec2.InstanceType(asked.Type),
		BareMetal:             aws.Bool(false),
		Hypervisor:            ec2.InstanceTypeHypervisorNitro,
		VCpuInfo:              &ec2.VCpuInfo{DefaultVCpus: aws.Int32(asked.CPU)},
		MemoryInfo:            &ec2.MemoryInfo{SizeInMiB: aws.Int64(asked.MemoryMib)},
		ProcessorInfo:         &ec2.ProcessorInfo{SupportedArchitectures: []ec2.ArchitectureType{arch}, Manufacturer: aws.String("Intel")},
		SupportedUsageClasses: []ec2.UsageClassType{ec2.UsageClassTypeOnDemand},
		NetworkInfo: &ec2.NetworkInfo{
			EncryptionInTransitSupported: aws.Bool(true),
			DefaultNetworkCardIndex:      aws.Int32(0),
			Ipv4AddressesPerInterface:    aws.Int32(int32(limits.IPv4PerInterface)),
			NetworkCards:                 []ec2.NetworkCardInfo{{MaximumNetworkInterfaces: aws.Int32(int32(limits.Interface))}},
		},
	}
}
