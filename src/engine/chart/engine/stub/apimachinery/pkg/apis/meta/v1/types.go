// Package v1 stands in for the one of apimachinery: what Helm's `lookup` names, which never runs here.
package v1

type GetOptions struct{}

type ListOptions struct{}

type APIResource struct {
	Name, Group, Version, Kind string
	Namespaced                 bool
}

type APIResourceList struct{ APIResources []APIResource }
