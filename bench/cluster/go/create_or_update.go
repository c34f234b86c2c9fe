package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func (r *reconciler) createOrUpdateAll(ctx context.Context, w widget) error {
	for _, name := range r.configMapNames(w) {
		configMap := &corev1.ConfigMap{ObjectMeta: metaOf(w, name)}
		if err := r.createOrUpdate(ctx, w, configMap, func() {
			configMap.Data = map[string]string{"text": w.spec().Text}
		}); err != nil {
			return err
		}
	}
	secret := &corev1.Secret{ObjectMeta: metaOf(w, w.GetName())}
	if err := r.createOrUpdate(ctx, w, secret, func() {
		secret.Data = map[string][]byte{"token": []byte(w.spec().Token)}
	}); err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metaOf(w, w.GetName())}
	return r.createOrUpdate(ctx, w, account, func() {})
}

func (r *reconciler) createOrUpdate(ctx context.Context, w widget, object client.Object, change func()) error {
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, object, func() error {
		change()
		return controllerutil.SetControllerReference(w, object, r.Scheme())
	})
	return err
}

func metaOf(w widget, name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: w.GetNamespace(), Name: name}
}
