// Package v1beta1 stands in for the one of apiextensions-apiserver.
package v1beta1

// AddToScheme adds nothing.
func AddToScheme(any) {}
