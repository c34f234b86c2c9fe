// A client-go program as people write them: typed and dynamic clients, informers, server-side apply, scale, leader
// election. It runs against any API server and says per step what it saw; the first step that fails ends it.
package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/pager"
	"k8s.io/client-go/util/retry"
)

const namespace = "client-go"

type program struct {
	ctx     context.Context
	config  *rest.Config
	client  *kubernetes.Clientset
	dynamic *dynamic.DynamicClient
}

type step struct {
	name string
	run  func() error
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: client-go KUBECONFIG")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p, err := newProgram(ctx, os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, s := range p.steps() {
		if err := s.run(); err != nil {
			fmt.Printf("failed %s: %v\n", s.name, err)
			os.Exit(1)
		}
		fmt.Printf("ok %s\n", s.name)
	}
}

func newProgram(ctx context.Context, kubeconfig string) (*program, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = -1, -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	dyn, err := dynamic.NewForConfig(config)
	return &program{ctx: ctx, config: config, client: client, dynamic: dyn}, err
}

func (p *program) steps() []step {
	return []step{
		{"discovery", p.discovery},
		{"namespace with its ServiceAccount", p.namespace},
		{"optimistic lock", p.optimisticLock},
		{"patches", p.patches},
		{"server-side apply with a conflict", p.apply},
		{"pages", p.pages},
		{"Deployment rolled out, seen by an informer", p.deployment},
		{"scale", p.scale},
		{"custom resource", p.customResource},
		{"leader election", p.leaderElection},
		{"final objects", p.printObjects},
		{"namespace deleted with all that is in it", p.deleteNamespace},
	}
}

func (p *program) discovery() error {
	version, err := p.client.Discovery().ServerVersion()
	if err != nil {
		return err
	}
	if version.Major != "1" {
		return fmt.Errorf("major version %q", version.Major)
	}
	lists, err := p.client.Discovery().ServerPreferredResources()
	if err != nil {
		return err
	}
	for _, list := range lists {
		for _, resource := range list.APIResources {
			if list.GroupVersion == "apps/v1" && resource.Name == "deployments" && resource.Namespaced {
				return nil
			}
		}
	}
	return fmt.Errorf("no deployments in %d groups", len(lists))
}

func (p *program) namespace() error {
	object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
	if _, err := p.client.CoreV1().Namespaces().Create(p.ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	return p.eventually(func() (bool, error) {
		_, err := p.client.CoreV1().ServiceAccounts(namespace).Get(p.ctx, "default", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return false, nil
		}
		return err == nil, err
	})
}

func (p *program) optimisticLock() error {
	maps := p.client.CoreV1().ConfigMaps(namespace)
	created, err := maps.Create(p.ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: "locked"}, Data: map[string]string{"a": "1"},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	stale := created.DeepCopy()
	created.Data["a"] = "2"
	if _, err := maps.Update(p.ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	stale.Data["a"] = "3"
	if _, err := maps.Update(p.ctx, stale, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("a stale update gave %v", err)
	}
	stale.ResourceVersion = ""
	if _, err := maps.Create(p.ctx, stale, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("a second create gave %v", err)
	}
	return nil
}

func (p *program) patches() error {
	maps := p.client.CoreV1().ConfigMaps(namespace)
	for _, patch := range []struct {
		kind types.PatchType
		body string
	}{
		{types.MergePatchType, `{"data":{"merge":"yes"}}`},
		{types.StrategicMergePatchType, `{"data":{"strategic":"yes"}}`},
		{types.JSONPatchType, `[{"op":"add","path":"/data/json","value":"yes"}]`},
	} {
		if _, err := maps.Patch(p.ctx, "locked", patch.kind, []byte(patch.body), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("%s: %w", patch.kind, err)
		}
	}
	patched, err := maps.Get(p.ctx, "locked", metav1.GetOptions{})
	if err == nil && len(patched.Data) != 4 {
		return fmt.Errorf("data is %v", patched.Data)
	}
	return err
}

func (p *program) apply() error {
	maps := p.client.CoreV1().ConfigMaps(namespace)
	wanted := func(value string) *applycorev1.ConfigMapApplyConfiguration {
		return applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"key": value})
	}
	if _, err := maps.Apply(p.ctx, wanted("1"), metav1.ApplyOptions{FieldManager: "one"}); err != nil {
		return err
	}
	if _, err := maps.Apply(p.ctx, wanted("2"), metav1.ApplyOptions{FieldManager: "two"}); !apierrors.IsConflict(err) {
		return fmt.Errorf("a second manager got %v", err)
	}
	forced, err := maps.Apply(p.ctx, wanted("2"), metav1.ApplyOptions{FieldManager: "two", Force: true})
	if err == nil && forced.Data["key"] != "2" {
		return fmt.Errorf("data is %v", forced.Data)
	}
	return err
}

func (p *program) pages() error {
	maps := p.client.CoreV1().ConfigMaps(namespace)
	for i := range 25 {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("page-%d", i), Labels: map[string]string{"page": "yes"}}}
		if _, err := maps.Create(p.ctx, object, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	lister := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return maps.List(ctx, options)
	})
	lister.PageSize = 10
	seen := 0
	err := lister.EachListItem(p.ctx, metav1.ListOptions{LabelSelector: "page in (yes)"}, func(runtime.Object) error {
		seen++
		return nil
	})
	if err == nil && seen != 25 {
		return fmt.Errorf("saw %d objects", seen)
	}
	return err
}

func (p *program) deployment() error {
	factory := informers.NewSharedInformerFactoryWithOptions(p.client, 0, informers.WithNamespace(namespace))
	available := make(chan struct{}, 1)
	look := func(object any) {
		if deployment, ok := object.(*appsv1.Deployment); ok && deployment.Status.AvailableReplicas == 2 {
			select {
			case available <- struct{}{}:
			default:
			}
		}
	}
	_, err := factory.Apps().V1().Deployments().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: look, UpdateFunc: func(_, object any) { look(object) },
	})
	if err != nil {
		return err
	}
	factory.Start(p.ctx.Done())
	factory.WaitForCacheSync(p.ctx.Done())
	if _, err := p.client.AppsV1().Deployments(namespace).Create(p.ctx, newDeployment(), metav1.CreateOptions{}); err != nil {
		return err
	}
	select {
	case <-available:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func newDeployment() *appsv1.Deployment {
	labels, replicas := map[string]string{"app": "web"}, int32(2)
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}},
			},
		},
	}
}

func (p *program) scale() error {
	deployments := p.client.AppsV1().Deployments(namespace)
	// The Deployment's controller may write its status in between.
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		scale, err := deployments.GetScale(p.ctx, "web", metav1.GetOptions{})
		if err != nil {
			return err
		}
		scale.Spec.Replicas = 3
		_, err = deployments.UpdateScale(p.ctx, "web", scale, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return err
	}
	return p.eventually(func() (bool, error) {
		deployment, err := deployments.Get(p.ctx, "web", metav1.GetOptions{})
		return err == nil && deployment.Status.ReadyReplicas == 3, err
	})
}

func (p *program) leaderElection() error {
	lock, err := resourcelock.NewFromKubeconfig(resourcelock.LeasesResourceLock, namespace, "leader",
		resourcelock.ResourceLockConfig{Identity: "me"}, p.config, 5*time.Second)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(p.ctx)
	defer stop()
	led := false
	renewals := &renewedLock{Interface: lock, renewed: make(chan struct{})}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: renewals, ReleaseOnCancel: true,
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				led = true
				// The first renewal is under way already. Cancelled between the server and here, it would be unknown to
				// the release that follows, which then is in conflict with it.
				select {
				case <-renewals.renewed:
				case <-ctx.Done():
				}
				stop()
			},
			OnStoppedLeading: func() {},
		},
	})
	if !led {
		return fmt.Errorf("never led")
	}
	lease, err := p.client.CoordinationV1().Leases(namespace).Get(p.ctx, "leader", metav1.GetOptions{})
	if err == nil && *lease.Spec.HolderIdentity != "" {
		return fmt.Errorf("the lease is still held by %q", *lease.Spec.HolderIdentity)
	}
	return err
}

// renewedLock closes its channel at the first renewal.
type renewedLock struct {
	resourcelock.Interface
	once    sync.Once
	renewed chan struct{}
}

func (l *renewedLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	err := l.Interface.Update(ctx, record)
	if err == nil {
		l.once.Do(func() { close(l.renewed) })
	}
	return err
}

func (p *program) deleteNamespace() error {
	if err := p.client.CoreV1().Namespaces().Delete(p.ctx, namespace, metav1.DeleteOptions{}); err != nil {
		return err
	}
	return p.eventually(func() (bool, error) {
		_, err := p.client.CoreV1().Namespaces().Get(p.ctx, namespace, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	})
}

func (p *program) eventually(holds func() (bool, error)) error {
	for {
		done, err := holds()
		if done || err != nil {
			return err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
	}
}
