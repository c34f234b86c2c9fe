// Command engine is Helm's own renderer as a WebAssembly module: a chart, values and what is known of the cluster come
// in, manifests go out. It reads no file, opens no connection and knows no environment.
package main

import (
	"encoding/json"
	"fmt"
	"unsafe"
)

func main() {}

// hostRead fills a buffer with the request that the host called with.
//
//go:wasmimport rolebook read
func hostRead(buffer unsafe.Pointer)

// hostWrite hands the answer over.
//
//go:wasmimport rolebook write
func hostWrite(buffer unsafe.Pointer, length uint32)

// load takes a chart, which later requests name.
//
//go:wasmexport load
func load(length uint32) { answer(length, loadChart) }

// render makes the manifests of a release.
//
//go:wasmexport render
func render(length uint32) { answer(length, renderRelease) }

// failure is what Helm refuses, in its own words.
type failure struct {
	Stage   string `json:"stage"`
	Message string `json:"message"`
}

func failed(stage string, err error) *failure { return &failure{stage, err.Error()} }

func answer[Request, Response any](length uint32, handle func(Request) (Response, *failure)) {
	buffer := make([]byte, length)
	hostRead(unsafe.Pointer(unsafe.SliceData(buffer)))
	var request Request
	var result struct {
		Result  any      `json:"result,omitempty"`
		Failure *failure `json:"failure,omitempty"`
	}
	if err := json.Unmarshal(buffer, &request); err != nil {
		result.Failure = failed("request", err)
	} else if response, problem := guarded(request, handle); problem != nil {
		result.Failure = problem
	} else {
		result.Result = response
	}
	bytes, err := json.Marshal(result)
	if err != nil {
		bytes, _ = json.Marshal(map[string]any{"failure": failed("answer", err)})
	}
	hostWrite(unsafe.Pointer(unsafe.SliceData(bytes)), uint32(len(bytes)))
}

func guarded[Request, Response any](request Request, handle func(Request) (Response, *failure)) (response Response, problem *failure) {
	defer func() {
		if reason := recover(); reason != nil {
			problem = failed("panic", fmt.Errorf("%v", reason))
		}
	}()
	return handle(request)
}
