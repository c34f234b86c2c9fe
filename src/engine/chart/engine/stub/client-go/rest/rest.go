// Package rest stands in for the one of client-go: this renderer has no cluster.
package rest

// Config is never filled.
type Config struct{}
