// Package v1 stands in for the one of apiextensions-apiserver.
package v1

// AddToScheme adds nothing.
func AddToScheme(any) {}
