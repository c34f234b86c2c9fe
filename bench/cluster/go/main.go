// The workload of the benchmark as an operator on controller-runtime: a Widget becomes ConfigMaps, a Secret, a
// ServiceAccount and a status. It writes in one of the two ways that such operators have: create-or-update, or
// server-side apply.
package main

import (
	"flag"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

type settings struct {
	kubeconfig string
	apply      bool
	workers    int
	kinds      int
	objects    int
}

func main() {
	var s settings
	flag.StringVar(&s.kubeconfig, "server", "", "the kubeconfig of the server")
	flag.BoolVar(&s.apply, "apply", false, "write by server-side apply instead of create-or-update")
	flag.IntVar(&s.workers, "workers", 16, "resources of a kind that are worked on at once")
	flag.IntVar(&s.kinds, "kinds", 1, "kinds of widgets")
	flag.IntVar(&s.objects, "objects", 3, "objects of a widget")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(s); err != nil {
		ctrl.Log.Error(err, "the operator ended")
		os.Exit(1)
	}
}

func run(s settings) error {
	if s.kinds > len(kinds) {
		return fmt.Errorf("cannot serve %d kinds: there are %d", s.kinds, len(kinds))
	}
	restConfig, err := clientcmd.BuildConfigFromFlags("", s.kubeconfig)
	if err != nil {
		return err
	}
	// client-go's 20 requests a second would be all that is measured. The server bounds its clients by itself.
	restConfig.QPS = -1
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	for _, kind := range kinds[:s.kinds] {
		kind.register(scheme)
	}
	mgr, err := ctrl.NewManager(restConfig, manager.Options{
		Scheme:     scheme,
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{MaxConcurrentReconciles: s.workers},
	})
	if err != nil {
		return err
	}
	for _, kind := range kinds[:s.kinds] {
		if err := kind.setUp(mgr, s); err != nil {
			return err
		}
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}
