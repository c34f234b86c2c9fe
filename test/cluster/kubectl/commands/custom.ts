import type { Command } from '../kubectl-session.ts'

const CRD = `kubectl apply -f - <<EOF
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cups.$GROUP}
spec:
  group: $GROUP
  scope: Namespaced
  names: {plural: cups, kind: Cup, shortNames: [cp], categories: [kitchen]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}
    - {name: Colour, type: string, jsonPath: .spec.colour, priority: 1}
    schema:
      openAPIV3Schema:
        description: A cup of something.
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1, description: How big.}
              colour: {type: string, enum: [red, blue], default: red}
              tags: {type: array, items: {type: string}}
          status:
            type: object
            properties: {replicas: {type: integer}, phase: {type: string}}
EOF`
const cup = (name: string, spec: string) =>
  `kubectl apply -f - <<EOF\napiVersion: $GROUP/v1\nkind: Cup\nmetadata: {name: ${name}}\nspec: ${spec}\nEOF`

/** A CRD and its resources. */
export const commands: readonly Command[] = [
  { run: CRD },
  { run: 'kubectl wait --for=condition=Established crd/cups.$GROUP --timeout=30s', requests: 'vary' },
  { run: 'until kubectl get cups >/dev/null 2>&1; do sleep 0.2; done', requests: 'vary' },
  { run: 'kubectl get crd cups.$GROUP' },
  { run: 'kubectl api-resources --api-group=$GROUP' },
  { run: 'kubectl api-resources --categories=kitchen' },
  { run: 'until kubectl explain cups.spec.size >/dev/null 2>&1; do sleep 0.2; done', requests: 'vary' },
  { run: 'kubectl explain cups' },
  { run: 'kubectl explain cups.spec --recursive' },
  { run: cup('first', '{size: 2}') },
  { run: cup('first', '{size: 2}') },
  { run: cup('first', '{size: 3, colour: blue, tags: [a]}') },
  { run: cup('bad', '{size: 0, colour: green}'), unordered: true },
  { run: cup('bad', '{}') },
  { run: cup('bad', '{size: 1, sise: 2}') },
  { run: cup('bad', '{size: 1, sise: 2}').replace('apply', 'apply --validate=warn') },
  { run: cup('bad', '{size: 1, sise: 2}').replace('apply', 'apply --validate=ignore') },
  { run: cup('first', '{size: 4}').replace('apply', 'diff') },
  { run: 'kubectl get cups' },
  { run: 'kubectl get cp -o wide' },
  { run: 'kubectl get cups.$GROUP first -o yaml' },
  { run: 'kubectl get cups.v1.$GROUP -o name' },
  { run: 'kubectl get kitchen' },
  { run: 'kubectl describe cup first' },
  { run: 'kubectl scale cup first --replicas=5' },
  { run: "kubectl get cup first --subresource=scale -o jsonpath='{.spec.replicas} {.kind}'" },
  { run: 'kubectl patch cup first --subresource=status --type=merge -p \'{"status":{"phase":"Full","replicas":5}}\'' },
  { run: "kubectl wait --for=jsonpath='{.status.phase}'=Full cup/first --timeout=10s", requests: 'vary' },
  { run: 'kubectl wait --for=condition=Ready cup/first --timeout=1s', requests: 'vary' },
  { run: 'kubectl patch cup first -p \'{"spec":{"size":6}}\'' },
  { run: 'kubectl patch cup first --type=merge -p \'{"spec":{"colour":"green"}}\'' },
  { run: 'kubectl patch cup first --type=json -p \'[{"op":"replace","path":"/spec/size","value":7}]\'' },
  { run: cup('second', '{size: 1}').replace('apply', 'apply --server-side') },
  { run: cup('second', '{size: 2}').replace('apply', 'apply --server-side --field-manager=other') },
  { run: cup('second', '{size: 2}').replace('apply', 'apply --server-side --field-manager=other --force-conflicts') },
  { run: 'kubectl get cup second -o yaml --show-managed-fields' },
  { run: 'KUBE_EDITOR="sed -i s/size:.*/size:\\ 9/" kubectl edit cup second' },
  {
    run: 'KUBE_EDITOR="sed -i s/size:.*/size:\\ none/" kubectl edit cup second',
    differs: 'it names a file of its own',
  },
  { run: 'kubectl get cups --sort-by=.spec.size -o custom-columns=N:.metadata.name,S:.spec.size' },
  { run: 'kubectl label cups --all kitchen=yes' },
  { run: 'kubectl delete cup second --cascade=foreground', requests: 'vary' },
  { run: 'kubectl delete kitchen --all' },
  { run: 'kubectl describe crd cups.$GROUP' },
  { run: 'kubectl delete crd cups.$GROUP', requests: 'vary' },
  { run: 'kubectl get cups' },
]
