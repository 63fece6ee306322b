// Ground truth for drift: Karpenter's own hashes and its own comparison of requirements, asked over stdin and stdout.
//
// Each line is one case. Each answer is one line, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"github.com/Azure/karpenter-provider-azure/pkg/apis/v1beta1"
	ec2 "github.com/aws/karpenter-provider-aws/pkg/apis/v1"

	v1 "sigs.k8s.io/karpenter/pkg/apis/v1"
	"sigs.k8s.io/karpenter/pkg/scheduling"
)

// A Case is the spec of a NodePool or of a node class, or the requirements of a pool with the labels of a NodeClaim.
type Case struct {
	NodePool     *v1.NodePoolSpec                          `json:"nodePool"`
	AKSNodeClass *v1beta1.AKSNodeClassSpec                 `json:"aksNodeClass"`
	EC2NodeClass *ec2.EC2NodeClassSpec                     `json:"ec2NodeClass"`
	Requirements []v1.NodeSelectorRequirementWithMinValues `json:"requirements"`
	Labels       map[string]string                         `json:"labels"`
}

// An Answer is a hash, or whether the claim has drifted from the requirements.
type Answer struct {
	Hash    string `json:"hash"`
	Drifted bool   `json:"drifted"`
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for in.Scan() {
		var asked Case
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			log.Fatal(err, in.Text())
		}
		line, err := json.Marshal(answer(&asked))
		if err != nil {
			log.Fatal(err)
		}
		_, _ = out.Write(append(line, '\n'))
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
}

func answer(asked *Case) Answer {
	switch {
	case asked.NodePool != nil:
		return Answer{Hash: (&v1.NodePool{Spec: *asked.NodePool}).Hash()}
	case asked.AKSNodeClass != nil:
		return Answer{Hash: (&v1beta1.AKSNodeClass{Spec: *asked.AKSNodeClass}).Hash()}
	case asked.EC2NodeClass != nil:
		return Answer{Hash: (&ec2.EC2NodeClass{Spec: *asked.EC2NodeClass}).Hash(nil)}
	default:
		wanted := scheduling.NewNodeSelectorRequirementsWithMinValues(asked.Requirements...)
		return Answer{Drifted: scheduling.NewLabelRequirements(asked.Labels).Compatible(wanted) != nil}
	}
}
