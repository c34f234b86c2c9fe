package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	release "helm.sh/helm/v4/pkg/release/v1"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"sigs.k8s.io/yaml"
)

type renderRequest struct {
	Chart        string                `json:"chart"`
	Values       map[string]any        `json:"values"`
	Release      common.ReleaseOptions `json:"release"`
	Capabilities struct {
		KubeVersion string   `json:"kubeVersion"`
		APIVersions []string `json:"apiVersions"`
	} `json:"capabilities"`
	// Lookups are answers to `lookup`, by the JSON list of its arguments.
	Lookups map[string]json.RawMessage `json:"lookups"`
	// Draws are what random functions gave before.
	Draws []draw `json:"draws"`
}

type renderResponse struct {
	CRDs      []manifest `json:"crds"`
	Manifests []manifest `json:"manifests"`
	Hooks     []hook     `json:"hooks"`
	Draws     []draw     `json:"draws"`
	// Asks are calls of `lookup` that had no answer. Then there is nothing else.
	Asks []string `json:"asks,omitempty"`
}

type manifest struct {
	Source string          `json:"source"`
	Object json.RawMessage `json:"object"`
}

type hook struct {
	manifest
	Events         []release.HookEvent        `json:"events"`
	Weight         int                        `json:"weight"`
	DeletePolicies []release.HookDeletePolicy `json:"deletePolicies"`
}

// renderRelease does what `helm template` and `helm install` do, in their order and with their words.
func renderRelease(request renderRequest) (*renderResponse, *failure) {
	chrt, err := installable(charts[request.Chart])
	if err != nil {
		return nil, failed("chart", err)
	}
	if err := chartutil.ProcessDependencies(chrt, request.Values); err != nil {
		return nil, failed("dependencies", fmt.Errorf("chart dependencies processing failed: %w", err))
	}
	capabilities, err := capabilitiesOf(request, chrt)
	if err != nil {
		return nil, failed("capabilities", err)
	}
	values, err := util.ToRenderValues(chrt, request.Values, request.Release, capabilities)
	if err != nil {
		return nil, failed("values", err)
	}
	lookups := &lookups{answers: request.Lookups}
	draws := newDraws(request.Draws)
	files, err := renderFiles(chrt, values, lookups, draws)
	if len(lookups.asks) > 0 {
		return &renderResponse{Asks: lookups.asks}, nil
	}
	if err != nil {
		return nil, failed("template", err)
	}
	response, err := sorted(chrt, files)
	if err != nil {
		return nil, failed("manifest", err)
	}
	response.Draws = draws.made
	return response, nil
}

// installable loads a chart anew, since rendering changes it, and refuses what Helm's commands refuse.
func installable(files []*archive.BufferedFile) (*chart.Chart, error) {
	chrt, err := loader.LoadFiles(files)
	if err != nil {
		return nil, err
	}
	if kind := chrt.Metadata.Type; kind != "" && kind != "application" {
		return nil, fmt.Errorf("%s charts are not installable", kind)
	}
	missing := []string{}
	for _, wanted := range chrt.Metadata.Dependencies {
		if !slices.ContainsFunc(chrt.Dependencies(), func(c *chart.Chart) bool { return c.Name() == wanted.Name }) {
			missing = append(missing, wanted.Name)
		}
	}
	sortDependencies(chrt)
	if len(missing) > 0 {
		return nil, fmt.Errorf("an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: %s", strings.Join(missing, ", "))
	}
	return chrt, nil
}

// sortDependencies gives sub-charts an order: Helm's loader leaves it to chance.
func sortDependencies(chrt *chart.Chart) {
	children := slices.Clone(chrt.Dependencies())
	slices.SortFunc(children, func(a, b *chart.Chart) int { return strings.Compare(a.Name(), b.Name()) })
	chrt.SetDependencies(children...)
	for _, child := range children {
		sortDependencies(child)
	}
}

func capabilitiesOf(request renderRequest, chrt *chart.Chart) (*common.Capabilities, error) {
	version, err := common.ParseKubeVersion(request.Capabilities.KubeVersion)
	if err != nil {
		return nil, err
	}
	if wanted := chrt.Metadata.KubeVersion; wanted != "" && !chartutil.IsCompatibleRange(wanted, version.String()) {
		return nil, fmt.Errorf("chart requires kubeVersion: %s which is incompatible with Kubernetes %s", wanted, version.Version)
	}
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	capabilities.APIVersions = request.Capabilities.APIVersions
	return capabilities, nil
}

// renderFiles tells the random functions in which file they are by a call at its beginning. That would move columns in
// messages, which come from a second attempt on the chart as it is.
func renderFiles(chrt *chart.Chart, values common.Values, lookups *lookups, draws *draws) (map[string]string, error) {
	functions := draws.functions()
	functions["lookup"] = lookups.lookup
	functions["keys"], functions["values"], functions["now"] = sortedKeys, sortedValues, now
	e := engine.Engine{CustomTemplateFuncs: functions}
	marked := markTemplates(chrt)
	files, err := e.Render(chrt, values)
	for template, data := range marked {
		template.Data = data
	}
	if err != nil {
		files, err = e.Render(chrt, values)
	}
	return files, err
}

func markTemplates(chrt *chart.Chart) map[*common.File][]byte {
	originals := map[*common.File][]byte{}
	for _, template := range chrt.Templates {
		originals[template] = template.Data
		name := strconv.Quote(chrt.ChartFullPath() + "/" + template.Name)
		template.Data = append([]byte("{{"+enterFunction+" "+name+"}}"), template.Data...)
	}
	for _, child := range chrt.Dependencies() {
		for template, data := range markTemplates(child) {
			originals[template] = data
		}
	}
	return originals
}

func sorted(chrt *chart.Chart, files map[string]string) (*renderResponse, error) {
	for name := range files {
		if strings.HasSuffix(name, "NOTES.txt") {
			delete(files, name)
		}
	}
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return nil, err
	}
	response := &renderResponse{CRDs: []manifest{}, Manifests: []manifest{}, Hooks: []hook{}}
	for _, crd := range chrt.CRDObjects() {
		documents := releaseutil.SplitManifests(string(crd.File.Data))
		keys := slices.Collect(mapKeys(documents))
		slices.SortFunc(keys, func(a, b string) int { return len(a) - len(b) + strings.Compare(a, b) })
		for _, key := range keys {
			if response.CRDs, err = appendObject(response.CRDs, crd.Filename, documents[key]); err != nil {
				return nil, err
			}
		}
	}
	for _, m := range manifests {
		if response.Manifests, err = appendObject(response.Manifests, m.Name, m.Content); err != nil {
			return nil, err
		}
	}
	for _, h := range hooks {
		object, err := appendObject(nil, h.Path, h.Manifest)
		if err != nil {
			return nil, err
		}
		if len(object) > 0 {
			response.Hooks = append(response.Hooks, hook{object[0], h.Events, h.Weight, h.DeletePolicies})
		}
	}
	return response, nil
}

func appendObject(list []manifest, source, text string) ([]manifest, error) {
	object, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("YAML parse error on %s: %w", source, err)
	}
	if string(object) == "null" {
		return list, nil
	}
	return append(list, manifest{source, object}), nil
}
