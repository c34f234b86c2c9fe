package main

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// One line of JSON an object, as the typed clients left them.
func (p *program) printObjects() error {
	for _, resource := range []schema.GroupVersionResource{
		{Version: "v1", Resource: "configmaps"},
		{Version: "v1", Resource: "serviceaccounts"},
		{Group: "apps", Version: "v1", Resource: "deployments"},
		{Group: "apps", Version: "v1", Resource: "replicasets"},
		{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
		caches,
	} {
		list, err := p.dynamic.Resource(resource).Namespace(namespace).List(p.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			text, err := json.Marshal(item.Object)
			if err != nil {
				return err
			}
			fmt.Printf("object %s\n", text)
		}
	}
	return nil
}
