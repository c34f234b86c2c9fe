// Package runtime stands in for the one of apimachinery: a release of Helm names the type, and none is ever stored here.
package runtime

type Object interface{}
