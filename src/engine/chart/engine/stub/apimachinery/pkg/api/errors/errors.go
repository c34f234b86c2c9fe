// Package errors stands in for the one of apimachinery: without a cluster there are no errors of one.
package errors

func IsNotFound(error) bool { return false }
