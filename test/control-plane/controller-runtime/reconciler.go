package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	controllerName = "page-operator"
	finalizer      = "controller-runtime.rolebook.test/registration"
	themeIndex     = "spec.theme"
)

type pageReconciler struct {
	client.Client
	recorder events.EventRecorder
}

func (r *pageReconciler) setUp(mgr ctrl.Manager) error {
	err := mgr.GetFieldIndexer().IndexField(context.Background(), &Page{}, themeIndex, func(object client.Object) []string {
		return []string{object.(*Page).Spec.Theme}
	})
	if err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&Page{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.pagesOfTheme)).
		Complete(r)
}

func (r *pageReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	page := &Page{}
	if err := r.Get(ctx, request.NamespacedName, page); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !page.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.cleanUp(ctx, page)
	}
	if controllerutil.AddFinalizer(page, finalizer) {
		return ctrl.Result{}, r.Update(ctx, page)
	}
	theme, err := r.themeOf(ctx, page)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.applyAll(ctx, page, filesOf(page, theme)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.reportStatus(ctx, page)
}

func (r *pageReconciler) applyAll(ctx context.Context, page *Page, files map[string]string) error {
	for _, desired := range []runtime.ApplyConfiguration{
		registrationOf(page), configMapOf(page, files), deploymentOf(page, files), serviceOf(page),
	} {
		if err := r.Apply(ctx, desired, client.FieldOwner(controllerName), client.ForceOwnership); err != nil {
			return err
		}
	}
	return nil
}

func (r *pageReconciler) reportStatus(ctx context.Context, page *Page) error {
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(page), deployment); err != nil {
		return client.IgnoreNotFound(err) // the cache has not seen it yet; its event comes
	}
	before := page.DeepCopyObject().(*Page)
	page.Status.ObservedGeneration = page.Generation
	page.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	page.Status.Selector = labels.SelectorFromSet(labelsOf(page)).String()
	changed := meta.SetStatusCondition(&page.Status.Conditions, availability(page, deployment))
	if !changed && page.Status.ReadyReplicas == before.Status.ReadyReplicas &&
		page.Status.ObservedGeneration == before.Status.ObservedGeneration {
		return nil
	}
	if err := r.Status().Patch(ctx, page, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		return err
	}
	condition := page.Status.Conditions[0]
	if changed && condition.Status == metav1.ConditionTrue {
		r.recorder.Eventf(page, deployment, corev1.EventTypeNormal, condition.Reason, "RollOut", "serves %q", page.Spec.Text)
	}
	return nil
}

func availability(page *Page, deployment *appsv1.Deployment) metav1.Condition {
	condition := metav1.Condition{
		Type: "Available", Status: metav1.ConditionTrue, Reason: "Served",
		Message: "all replicas are ready", ObservedGeneration: page.Generation,
	}
	if !rolledOut(deployment, replicasOf(page)) {
		condition.Status, condition.Reason, condition.Message = metav1.ConditionFalse, "RollingOut", "replicas are missing"
	}
	return condition
}

func rolledOut(deployment *appsv1.Deployment, wanted int32) bool {
	status := deployment.Status
	return status.ObservedGeneration == deployment.Generation && *deployment.Spec.Replicas == wanted &&
		status.Replicas == wanted && status.UpdatedReplicas == wanted && status.AvailableReplicas == wanted
}

func (r *pageReconciler) cleanUp(ctx context.Context, page *Page) error {
	if !controllerutil.ContainsFinalizer(page, finalizer) {
		return nil
	}
	registration := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: page.Namespace, Name: registrationName(page)}}
	if err := r.Delete(ctx, registration); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("removing the registration: %w", err)
	}
	before := page.DeepCopyObject().(*Page)
	controllerutil.RemoveFinalizer(page, finalizer)
	return client.IgnoreNotFound(r.Patch(ctx, page, client.MergeFrom(before)))
}

func (r *pageReconciler) themeOf(ctx context.Context, page *Page) (map[string]string, error) {
	if page.Spec.Theme == "" {
		return nil, nil
	}
	theme := &corev1.ConfigMap{}
	err := r.Get(ctx, client.ObjectKey{Namespace: page.Namespace, Name: page.Spec.Theme}, theme)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return theme.Data, err
}

func (r *pageReconciler) pagesOfTheme(ctx context.Context, theme client.Object) []reconcile.Request {
	pages := &PageList{}
	if err := r.List(ctx, pages, client.InNamespace(theme.GetNamespace()), client.MatchingFields{themeIndex: theme.GetName()}); err != nil {
		return nil
	}
	requests := make([]reconcile.Request, 0, len(pages.Items))
	for i := range pages.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&pages.Items[i])})
	}
	return requests
}

func sortedKeys(files map[string]string) []string {
	return slices.Sorted(maps.Keys(files))
}
