// Package kubernetes stands in for the one of client-go: Helm imports it for its version alone.
package kubernetes
