package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var groupVersion = schema.GroupVersion{Group: "bench.rolebook.dev", Version: "v1"}

// Widget is one type for each kind K, as the scheme wants it.
type Widget[K any] struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec,omitempty"`
	Status WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Text  string `json:"text"`
	Token string `json:"token"`
}

type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Text               string             `json:"text,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WidgetList[K any] struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget[K] `json:"items"`
}

// What the reconciler needs of a Widget of any kind.
type widget interface {
	client.Object
	spec() WidgetSpec
	status() *WidgetStatus
}

func (w *Widget[K]) spec() WidgetSpec      { return w.Spec }
func (w *Widget[K]) status() *WidgetStatus { return &w.Status }

func (w *Widget[K]) DeepCopyObject() runtime.Object {
	copied := *w
	copied.ObjectMeta = *w.ObjectMeta.DeepCopy()
	copied.Status.Conditions = append([]metav1.Condition(nil), w.Status.Conditions...)
	return &copied
}

func (l *WidgetList[K]) DeepCopyObject() runtime.Object {
	copied := *l
	copied.ListMeta = *l.ListMeta.DeepCopy()
	copied.Items = make([]Widget[K], len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Widget[K])
	}
	return &copied
}

type kind struct {
	register func(*runtime.Scheme)
	setUp    func(ctrl.Manager, settings) error
}

var kinds = []kind{
	kindOf[[1]byte]("Widget"), kindOf[[2]byte]("Widget2"), kindOf[[3]byte]("Widget3"), kindOf[[4]byte]("Widget4"),
	kindOf[[5]byte]("Widget5"), kindOf[[6]byte]("Widget6"), kindOf[[7]byte]("Widget7"), kindOf[[8]byte]("Widget8"),
}

func kindOf[K any](name string) kind {
	return kind{
		register: func(scheme *runtime.Scheme) {
			scheme.AddKnownTypeWithName(groupVersion.WithKind(name), &Widget[K]{})
			scheme.AddKnownTypeWithName(groupVersion.WithKind(name+"List"), &WidgetList[K]{})
			metav1.AddToGroupVersion(scheme, groupVersion)
		},
		setUp: func(mgr ctrl.Manager, s settings) error {
			r := &reconciler{
				Client: mgr.GetClient(), kind: name, objects: s.objects,
				newWidget: func() widget { return &Widget[K]{} },
			}
			return r.setUp(mgr, s.apply)
		},
	}
}
