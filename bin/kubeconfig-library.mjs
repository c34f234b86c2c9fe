// What the bundle has of the library that reads kubeconfigs: that, and not the clients and 700 kinds of objects beside it.
// biome-ignore lint/performance/noBarrelFile: it stands for one package, of which the bundle takes two files.
export { bufferFromFileOrString, KubeConfig } from '../node_modules/@kubernetes/client-node/dist/config.js'
export { loadYaml } from '../node_modules/@kubernetes/client-node/dist/yaml.js'
