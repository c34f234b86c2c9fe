package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "controller-runtime.rolebook.test", Version: "v1"}

// Page is a text that a few Pods serve.
type Page struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   PageSpec   `json:"spec,omitempty"`
	Status PageStatus `json:"status,omitempty"`
}

type PageSpec struct {
	Text string `json:"text"`
	// Defaults to 1.
	Replicas *int32 `json:"replicas,omitempty"`
	// The name of a ConfigMap with more files, which another client makes.
	Theme string `json:"theme,omitempty"`
}

type PageStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas"`
	Selector           string             `json:"selector,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type PageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Page `json:"items"`
}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &Page{}, &PageList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}

func (p *Page) DeepCopyObject() runtime.Object {
	copied := *p
	copied.ObjectMeta = *p.ObjectMeta.DeepCopy()
	if p.Spec.Replicas != nil {
		replicas := *p.Spec.Replicas
		copied.Spec.Replicas = &replicas
	}
	copied.Status.Conditions = make([]metav1.Condition, len(p.Status.Conditions))
	copy(copied.Status.Conditions, p.Status.Conditions)
	return &copied
}

func (l *PageList) DeepCopyObject() runtime.Object {
	copied := *l
	copied.ListMeta = *l.ListMeta.DeepCopy()
	copied.Items = make([]Page, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Page)
	}
	return &copied
}
