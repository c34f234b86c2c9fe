package labels

import (
	"context"
	"errors"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// labeller marks every ConfigMap that it sees.
type labeller struct{ client.Client }

func (l labeller) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var configMap corev1.ConfigMap
	if err := l.Get(ctx, request.NamespacedName, &configMap); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	patch := client.MergeFrom(configMap.DeepCopy())
	metav1.SetMetaDataLabel(&configMap.ObjectMeta, "seen", "yes")
	return ctrl.Result{}, l.Patch(ctx, &configMap, patch)
}

// refuser is a webhook that lets no ConfigMap be called "forbidden".
type refuser struct{}

func (refuser) ValidateCreate(_ context.Context, object *corev1.ConfigMap) (admission.Warnings, error) {
	if object.Name == "forbidden" {
		return nil, errors.New("that name is taken")
	}
	return nil, nil
}

func (refuser) ValidateUpdate(context.Context, *corev1.ConfigMap, *corev1.ConfigMap) (admission.Warnings, error) {
	return nil, nil
}

func (refuser) ValidateDelete(context.Context, *corev1.ConfigMap) (admission.Warnings, error) {
	return nil, nil
}

func TestController(t *testing.T) {
	environment := &envtest.Environment{WebhookInstallOptions: envtest.WebhookInstallOptions{
		ValidatingWebhooks: []*admissionv1.ValidatingWebhookConfiguration{refuserConfiguration()},
	}}
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := environment.Stop(); err != nil {
			t.Error(err)
		}
	})
	hooks := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{WebhookServer: webhook.NewServer(webhook.Options{
		Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir,
	})})
	if err != nil {
		t.Fatal(err)
	}
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(labeller{manager.GetClient()}); err != nil {
		t.Fatal(err)
	}
	if err := ctrl.NewWebhookManagedBy(manager, &corev1.ConfigMap{}).WithValidator(refuser{}).Complete(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- manager.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	direct, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}

	t.Run("labels what is created", func(t *testing.T) {
		key := client.ObjectKey{Namespace: "default", Name: "plain"}
		create := func(ctx context.Context) (bool, error) { return created(direct.Create(ctx, named(key.Name))) }
		if err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 20*time.Second, true, create); err != nil {
			t.Fatal(err)
		}
		labelled := func(ctx context.Context) (bool, error) {
			var configMap corev1.ConfigMap
			err := direct.Get(ctx, key, &configMap)
			return configMap.Labels["seen"] == "yes", err
		}
		if err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 20*time.Second, true, labelled); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("refuses a name", func(t *testing.T) {
		err := direct.Create(ctx, named("forbidden"))
		if !apierrors.IsForbidden(err) {
			t.Fatalf("expected a refusal, got %v", err)
		}
	})
}

// created is not sure of it as long as the webhook does not serve yet.
func created(err error) (bool, error) {
	if apierrors.IsInternalError(err) {
		return false, nil
	}
	return err == nil, err
}

func named(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func refuserConfiguration() *admissionv1.ValidatingWebhookConfiguration {
	path := "/validate--v1-configmap"
	none := admissionv1.SideEffectClassNone
	return &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "refuser"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "refuser.example.com",
			ClientConfig: admissionv1.WebhookClientConfig{
				Service: &admissionv1.ServiceReference{Namespace: "default", Name: "refuser", Path: &path},
			},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.Create},
				Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
			}},
			SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
		}},
	}
}
