package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func (r *reconciler) applyAll(ctx context.Context, w widget) error {
	owner := r.ownerOf(w)
	for _, name := range r.configMapNames(w) {
		configMap := applycorev1.ConfigMap(name, w.GetNamespace()).
			WithOwnerReferences(owner).WithData(map[string]string{"text": w.spec().Text})
		if err := r.apply(ctx, configMap); err != nil {
			return err
		}
	}
	secret := applycorev1.Secret(w.GetName(), w.GetNamespace()).
		WithOwnerReferences(owner).WithData(map[string][]byte{"token": []byte(w.spec().Token)})
	if err := r.apply(ctx, secret); err != nil {
		return err
	}
	return r.apply(ctx, applycorev1.ServiceAccount(w.GetName(), w.GetNamespace()).WithOwnerReferences(owner))
}

func (r *reconciler) apply(ctx context.Context, desired runtime.ApplyConfiguration) error {
	return r.Apply(ctx, desired, client.FieldOwner("widget-operator"), client.ForceOwnership)
}

func (r *reconciler) ownerOf(w widget) *applymetav1.OwnerReferenceApplyConfiguration {
	return applymetav1.OwnerReference().
		WithAPIVersion(groupVersion.String()).WithKind(r.kind).WithName(w.GetName()).WithUID(w.GetUID()).
		WithController(true).WithBlockOwnerDeletion(true)
}
