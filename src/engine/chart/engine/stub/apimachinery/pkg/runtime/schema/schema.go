// Package schema stands in for the one of apimachinery: what Helm's `lookup` names, which never runs here.
package schema

type GroupVersion struct{ Group, Version string }

func (gv GroupVersion) String() string { return gv.Group + "/" + gv.Version }

type GroupVersionKind struct{ Group, Version, Kind string }

func (gvk GroupVersionKind) String() string { return gvk.Kind }

func (gvk GroupVersionKind) GroupVersion() GroupVersion { return GroupVersion{} }

type GroupVersionResource struct{ Group, Version, Resource string }

func FromAPIVersionAndKind(_, kind string) GroupVersionKind { return GroupVersionKind{Kind: kind} }
