// Writes objects as Go clients send them: reads JSON objects from stdin, and prints each as protobuf (base64) and as the
// JSON of its Go type.
//
//	go run . < ../cases.json > ../cases.generated.json
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

type encoded struct {
	Protobuf string          `json:"protobuf"`
	JSON     json.RawMessage `json:"json"`
}

func main() {
	must(apiextensions.AddToScheme(scheme.Scheme))
	var cases []json.RawMessage
	must(json.NewDecoder(os.Stdin).Decode(&cases))
	serializer := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	results := []encoded{}
	for _, text := range cases {
		object, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
		must(err)
		results = append(results, encode(serializer, object))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", " ")
	must(out.Encode(results))
}

func encode(serializer runtime.Encoder, object runtime.Object) encoded {
	var bytes bytes.Buffer
	must(serializer.Encode(object, &bytes))
	text, err := json.Marshal(object)
	must(err)
	return encoded{base64.StdEncoding.EncodeToString(bytes.Bytes()), text}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
