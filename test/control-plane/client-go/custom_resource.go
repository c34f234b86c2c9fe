package main

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

const customGroup = "client-go.rolebook.test"

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	caches      = schema.GroupVersionResource{Group: customGroup, Version: "v1", Resource: "caches"}
)

func definition() *unstructured.Unstructured {
	integer := map[string]any{"type": "integer", "minimum": int64(0)}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "caches." + customGroup},
		"spec": map[string]any{
			"group": customGroup, "scope": "Namespaced",
			"names": map[string]any{"kind": "Cache", "plural": "caches"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object",
					"properties": map[string]any{
						"spec":   map[string]any{"type": "object", "properties": map[string]any{"size": integer}},
						"status": map[string]any{"type": "object", "properties": map[string]any{"ready": integer}},
					},
				}},
			}},
		},
	}}
}

// A CRD of its own, and a resource that changes, is refused, and reports what it has.
func (p *program) customResource() error {
	if err := p.installDefinition(); err != nil {
		return err
	}
	resource := p.dynamic.Resource(caches).Namespace(namespace)
	if err := p.createCache(resource); err != nil {
		return err
	}
	options := metav1.PatchOptions{FieldManager: "client-go"}
	grown, err := resource.Patch(p.ctx, "cache", types.MergePatchType, []byte(`{"spec":{"size":3},"status":{"ready":9}}`), options)
	if err != nil {
		return err
	}
	if _, found := grown.Object["status"]; found || grown.GetGeneration() != 2 {
		return fmt.Errorf("the spec's end point made %v", grown.Object)
	}
	if _, err := resource.Patch(p.ctx, "cache", types.MergePatchType, []byte(`{"spec":{"size":-1}}`), options); !apierrors.IsInvalid(err) {
		return fmt.Errorf("a refused size gave %v", err)
	}
	if err := unstructured.SetNestedField(grown.Object, int64(3), "status", "ready"); err != nil {
		return err
	}
	reported, err := resource.UpdateStatus(p.ctx, grown, metav1.UpdateOptions{FieldManager: "client-go-status"})
	if err == nil && reported.GetGeneration() != 2 {
		return fmt.Errorf("its status changed its generation to %d", reported.GetGeneration())
	}
	return err
}

func (p *program) installDefinition() error {
	if _, err := p.dynamic.Resource(definitions).Create(p.ctx, definition(), metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return p.eventually(func() (bool, error) {
		live, err := p.dynamic.Resource(definitions).Get(p.ctx, "caches."+customGroup, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		conditions, _, _ := unstructured.NestedSlice(live.Object, "status", "conditions") // null at first
		for _, condition := range conditions {
			if fields := condition.(map[string]any); fields["type"] == "Established" && fields["status"] == "True" {
				return true, nil
			}
		}
		return false, nil
	})
}

// Just after a CRD is established, an API server may still answer 404.
func (p *program) createCache(resource dynamic.ResourceInterface) error {
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": customGroup + "/v1", "kind": "Cache",
		"metadata": map[string]any{"name": "cache"}, "spec": map[string]any{"size": int64(2)},
	}}
	return p.eventually(func() (bool, error) {
		_, err := resource.Create(p.ctx, object, metav1.CreateOptions{FieldManager: "client-go"})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
}
