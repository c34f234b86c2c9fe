package main

import (
	"context"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client.Client
	kind      string
	objects   int
	newWidget func() widget
	// Either way to make the objects so.
	ensure func(context.Context, widget) error
}

func (r *reconciler) setUp(mgr ctrl.Manager, apply bool) error {
	r.ensure = r.createOrUpdateAll
	if apply {
		r.ensure = r.applyAll
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(r.newWidget()).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.ServiceAccount{}).
		Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	w := r.newWidget()
	if err := r.Get(ctx, request.NamespacedName, w); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !w.GetDeletionTimestamp().IsZero() {
		return ctrl.Result{}, nil
	}
	if err := r.ensure(ctx, w); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.reportStatus(ctx, w)
}

func (r *reconciler) reportStatus(ctx context.Context, w widget) error {
	before := w.DeepCopyObject().(widget)
	status := w.status()
	status.ObservedGeneration = w.GetGeneration()
	status.Text = w.spec().Text
	meta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", Message: "all objects are made",
		ObservedGeneration: w.GetGeneration(),
	})
	if equality.Semantic.DeepEqual(before.status(), status) {
		return nil
	}
	return r.Status().Update(ctx, w)
}

// The first ConfigMap has the name of the widget, each other one its number.
func (r *reconciler) configMapNames(w widget) []string {
	names := []string{w.GetName()}
	for i := 1; i < r.objects-2; i++ {
		names = append(names, w.GetName()+"-"+strconv.Itoa(i))
	}
	return names
}
