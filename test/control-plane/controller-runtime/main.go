// A small operator as people write them with controller-runtime: it makes a Page into a ConfigMap, a Deployment and a
// Service by server-side apply, with leader election, a cache of what it owns, a finalizer and conditions.
// It runs against any API server; `test/cluster/controller-runtime.test.ts` drives it.
package main

import (
	"flag"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	kubeconfig := flag.String("server", "", "the kubeconfig of the server")
	namespace := flag.String("namespace", "", "the namespace to work in")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	if err := run(*kubeconfig, *namespace); err != nil {
		ctrl.Log.Error(err, "the operator ended")
		os.Exit(1)
	}
}

func run(kubeconfig, namespace string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1 // no other client needs a share of the server here
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addToScheme(scheme)
	mgr, err := ctrl.NewManager(config, options(scheme, namespace))
	if err != nil {
		return err
	}
	reconciler := &pageReconciler{Client: mgr.GetClient(), recorder: mgr.GetEventRecorder(controllerName)}
	if err := reconciler.setUp(mgr); err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

func options(scheme *runtime.Scheme, namespace string) manager.Options {
	retry := time.Second
	return manager.Options{
		Scheme:                        scheme,
		Cache:                         cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		Metrics:                       server.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              controllerName,
		LeaderElectionNamespace:       namespace,
		LeaderElectionReleaseOnCancel: true,
		RetryPeriod:                   &retry,
	}
}
