// The part of the library that reads kubeconfigs. The bundle leaves out the library's clients and 700 kinds of objects.
// biome-ignore lint/performance/noBarrelFile: it replaces one package, and the bundle takes only two files of that package.
export { bufferFromFileOrString, KubeConfig } from '../node_modules/@kubernetes/client-node/dist/config.js'
export { loadYaml } from '../node_modules/@kubernetes/client-node/dist/yaml.js'
