/** The field manager of the controllers that the real kube-controller-manager runs. */
export const CONTROLLER_MANAGER = 'kube-controller-manager'
