package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/ignore"
)

type chartRequest struct {
	// Name by which later requests mean the chart.
	Name string `json:"name"`
	// Archive is a .tgz; otherwise Files are those of a folder.
	Archive []byte `json:"archive"`
	Files   []file `json:"files"`
	// MaxSize is how many bytes its files may have, unpacked.
	MaxSize int64 `json:"maxSize"`
}

type file struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

type chartResponse struct {
	Metadata *chart.Metadata `json:"metadata"`
	Values   map[string]any  `json:"values"`
	Schema   []byte          `json:"schema,omitempty"`
}

// charts holds the files and not what is made of them, which Helm changes as it renders.
var charts = map[string][]*archive.BufferedFile{}

func loadChart(request chartRequest) (*chartResponse, *failure) {
	files, err := filesOf(request)
	if err != nil {
		return nil, failed("chart", err)
	}
	loaded, err := loader.LoadFiles(files)
	if err != nil {
		return nil, failed("chart", err)
	}
	charts[request.Name] = files
	return &chartResponse{loaded.Metadata, loaded.Values, loaded.Schema}, nil
}

func filesOf(request chartRequest) ([]*archive.BufferedFile, error) {
	archive.MaxDecompressedChartSize = request.MaxSize
	if request.Archive != nil {
		return archive.LoadArchiveFiles(bytes.NewReader(request.Archive))
	}
	rules, err := ignoreRules(request.Files)
	if err != nil {
		return nil, err
	}
	files := []*archive.BufferedFile{}
	for _, each := range request.Files {
		if isIgnored(rules, each.Name) {
			continue
		}
		if int64(len(each.Data)) > archive.MaxDecompressedFileSize {
			return nil, fmt.Errorf("chart file %q is larger than the maximum file size %d", path.Base(each.Name), archive.MaxDecompressedFileSize)
		}
		data := bytes.TrimPrefix(each.Data, []byte("\xEF\xBB\xBF"))
		files = append(files, &archive.BufferedFile{Name: each.Name, Data: data})
	}
	if len(files) == 0 {
		return nil, errors.New("there are no files in the chart")
	}
	return files, nil
}

// ignoreRules reads .helmignore, as Helm's own loader of folders does.
func ignoreRules(files []file) (*ignore.Rules, error) {
	rules := ignore.Empty()
	for _, each := range files {
		if each.Name == ignore.HelmIgnore {
			parsed, err := ignore.Parse(bytes.NewReader(each.Data))
			if err != nil {
				return nil, err
			}
			rules = parsed
		}
	}
	rules.AddDefaults()
	return rules, nil
}

func isIgnored(rules *ignore.Rules, name string) bool {
	parts := strings.Split(name, "/")
	for i := 1; i < len(parts); i++ {
		if rules.Ignore(strings.Join(parts[:i], "/"), entry{parts[i-1], true}) {
			return true
		}
	}
	return rules.Ignore(name, entry{parts[len(parts)-1], false})
}

// entry is what the rules ask of a file: its name, and whether it is a folder.
type entry struct {
	name   string
	folder bool
}

func (e entry) Name() string       { return e.name }
func (e entry) IsDir() bool        { return e.folder }
func (e entry) Size() int64        { return 0 }
func (e entry) Mode() fs.FileMode  { return 0 }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) Sys() any           { return nil }
