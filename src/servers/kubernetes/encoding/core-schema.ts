// The messages inside of pods, nodes, namespaces, events and service accounts, read from the tags of the public types (k8s.io/api v0.34.1, core/v1), in the
// notation of `schema.ts`. JSON keeps their values as they are.

export const CORE_SCHEMA = `
AWSElasticBlockStoreVolumeSource: 1 volumeID string, 2 fsType string, 3 partition nonzero, 4 readOnly true
Affinity: 1 nodeAffinity NodeAffinity, 2 podAffinity PodAffinity, 3 podAntiAffinity PodAntiAffinity
AppArmorProfile: 1 type string, 2 localhostProfile anyString
AttachedVolume: 1 name string, 2 devicePath string
AzureDiskVolumeSource: 1 diskName string, 2 diskURI string, 3 cachingMode anyString, 4 fsType anyString, 5 readOnly bool, 6 kind anyString
AzureFileVolumeSource: 1 secretName string, 2 shareName string, 3 readOnly true
CSIVolumeSource: 1 driver string, 2 readOnly bool, 3 fsType anyString, 4 volumeAttributes stringMap, 5 nodePublishSecretRef LocalObjectReference
Capabilities: 1 add strings, 2 drop strings
CephFSVolumeSource: 1 monitors strings, 2 path string, 3 user string, 4 secretFile string, 5 secretRef LocalObjectReference, 6 readOnly true
CinderVolumeSource: 1 volumeID string, 2 fsType string, 3 readOnly true, 4 secretRef LocalObjectReference
ClusterTrustBundleProjection: 1 name anyString, 2 signerName anyString, 3 labelSelector LabelSelector, 4 path string, 5 optional bool
ConfigMapEnvSource: 1 - ^LocalObjectReference, 2 optional bool
ConfigMapKeySelector: 1 - ^LocalObjectReference, 2 key string, 3 optional bool
ConfigMapNodeConfigSource: 1 namespace string, 2 name string, 3 uid string, 4 resourceVersion string, 5 kubeletConfigKey string
ConfigMapProjection: 1 - ^LocalObjectReference, 2 items []KeyToPath, 4 optional bool
ConfigMapVolumeSource: 1 - ^LocalObjectReference, 2 items []KeyToPath, 3 defaultMode int64, 4 optional bool
Container: 1 name string, 2 image string, 3 command strings, 4 args strings, 5 workingDir string, 6 ports []ContainerPort, 7 env []EnvVar, 8 resources ResourceRequirements, 9 volumeMounts []VolumeMount, 10 livenessProbe Probe, 11 readinessProbe Probe, 12 lifecycle Lifecycle, 13 terminationMessagePath string, 14 imagePullPolicy string, 15 securityContext SecurityContext, 16 stdin true, 17 stdinOnce true, 18 tty true, 19 envFrom []EnvFromSource, 20 terminationMessagePolicy string, 21 volumeDevices []VolumeDevice, 22 startupProbe Probe, 23 resizePolicy []ContainerResizePolicy, 24 restartPolicy anyString, 25 restartPolicyRules []ContainerRestartRule
ContainerExtendedResourceRequest: 1 containerName string, 2 resourceName string, 3 requestName string
ContainerImage: 1 names strings, 2 sizeBytes nonzero
ContainerPort: 1 name string, 2 hostPort nonzero, 3 containerPort int64, 4 protocol string, 5 hostIP string
ContainerResizePolicy: 1 resourceName string, 2 restartPolicy string
ContainerRestartRule: 1 action string, 2 exitCodes ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: 1 operator string, 2 values ints
ContainerState: 1 waiting ContainerStateWaiting, 2 running ContainerStateRunning, 3 terminated ContainerStateTerminated
ContainerStateRunning: 1 startedAt time
ContainerStateTerminated: 1 exitCode int64, 2 signal nonzero, 3 reason string, 4 message string, 5 startedAt time, 6 finishedAt time, 7 containerID string
ContainerStateWaiting: 1 reason string, 2 message string
ContainerStatus: 1 name string, 2 state ContainerState, 3 lastState ContainerState, 4 ready bool, 5 restartCount int64, 6 image string, 7 imageID string, 8 containerID string, 9 started bool, 10 allocatedResources quantities, 11 resources ResourceRequirements, 12 volumeMounts []VolumeMountStatus, 13 user ContainerUser, 14 allocatedResourcesStatus []ResourceStatus, 15 stopSignal anyString
ContainerUser: 1 linux LinuxContainerUser
DaemonEndpoint: 1 Port int64
DownwardAPIProjection: 1 items []DownwardAPIVolumeFile
DownwardAPIVolumeFile: 1 path string, 2 fieldRef ObjectFieldSelector, 3 resourceFieldRef ResourceFieldSelector, 4 mode int64
DownwardAPIVolumeSource: 1 items []DownwardAPIVolumeFile, 2 defaultMode int64
EmptyDirVolumeSource: 1 medium string, 2 sizeLimit quantity
EnvFromSource: 1 prefix string, 2 configMapRef ConfigMapEnvSource, 3 secretRef SecretEnvSource
EnvVar: 1 name string, 2 value string, 3 valueFrom EnvVarSource
EnvVarSource: 1 fieldRef ObjectFieldSelector, 2 resourceFieldRef ResourceFieldSelector, 3 configMapKeyRef ConfigMapKeySelector, 4 secretKeyRef SecretKeySelector, 5 fileKeyRef FileKeySelector
EphemeralContainer: 1 - ^EphemeralContainerCommon, 2 targetContainerName string
EphemeralContainerCommon: 1 name string, 2 image string, 3 command strings, 4 args strings, 5 workingDir string, 6 ports []ContainerPort, 7 env []EnvVar, 8 resources ResourceRequirements, 9 volumeMounts []VolumeMount, 10 livenessProbe Probe, 11 readinessProbe Probe, 12 lifecycle Lifecycle, 13 terminationMessagePath string, 14 imagePullPolicy string, 15 securityContext SecurityContext, 16 stdin true, 17 stdinOnce true, 18 tty true, 19 envFrom []EnvFromSource, 20 terminationMessagePolicy string, 21 volumeDevices []VolumeDevice, 22 startupProbe Probe, 23 resizePolicy []ContainerResizePolicy, 24 restartPolicy anyString, 25 restartPolicyRules []ContainerRestartRule
EphemeralVolumeSource: 1 volumeClaimTemplate PersistentVolumeClaimTemplate
EventSeries: 1 count nonzero, 2 lastObservedTime microTime
EventSource: 1 component string, 2 host string
ExecAction: 1 command strings
FCVolumeSource: 1 targetWWNs strings, 2 lun int64, 3 fsType string, 4 readOnly true, 5 wwids strings
FileKeySelector: 1 volumeName string, 2 path string, 3 key string, 4 optional bool
FlexVolumeSource: 1 driver string, 2 fsType string, 3 secretRef LocalObjectReference, 4 readOnly true, 5 options stringMap
FlockerVolumeSource: 1 datasetName string, 2 datasetUUID string
GCEPersistentDiskVolumeSource: 1 pdName string, 2 fsType string, 3 partition nonzero, 4 readOnly true
GRPCAction: 1 port int64, 2 service anyString
GitRepoVolumeSource: 1 repository string, 2 revision string, 3 directory string
GlusterfsVolumeSource: 1 endpoints string, 2 path string, 3 readOnly true
HTTPGetAction: 1 path string, 2 port intOrString, 3 host string, 4 scheme string, 5 httpHeaders []HTTPHeader
HTTPHeader: 1 name string, 2 value string
HostAlias: 1 ip string, 2 hostnames strings
HostIP: 1 ip string
HostPathVolumeSource: 1 path string, 2 type anyString
ISCSIVolumeSource: 1 targetPortal string, 2 iqn string, 3 lun int64, 4 iscsiInterface string, 5 fsType string, 6 readOnly true, 7 portals strings, 8 chapAuthDiscovery true, 10 secretRef LocalObjectReference, 11 chapAuthSession true, 12 initiatorName anyString
ImageVolumeSource: 1 reference string, 2 pullPolicy string
KeyToPath: 1 key string, 2 path string, 3 mode int64
LabelSelectorRequirement: 1 key string, 2 operator string, 3 values strings
Lifecycle: 1 postStart LifecycleHandler, 2 preStop LifecycleHandler, 3 stopSignal anyString
LifecycleHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction, 4 sleep SleepAction
LinuxContainerUser: 1 uid int64, 2 gid int64, 3 supplementalGroups ints
LocalObjectReference: 1 name string
NFSVolumeSource: 1 server string, 2 path string, 3 readOnly true
NamespaceCondition: 1 type string, 2 status string, 4 lastTransitionTime time, 5 reason string, 6 message string
NamespaceSpec: 1 finalizers strings
NamespaceStatus: 1 phase string, 2 conditions []NamespaceCondition
NodeAddress: 1 type string, 2 address string
NodeAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector, 2 preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
NodeCondition: 1 type string, 2 status string, 3 lastHeartbeatTime time, 4 lastTransitionTime time, 5 reason string, 6 message string
NodeConfigSource: 2 configMap ConfigMapNodeConfigSource
NodeConfigStatus: 1 assigned NodeConfigSource, 2 active NodeConfigSource, 3 lastKnownGood NodeConfigSource, 4 error string
NodeDaemonEndpoints: 1 kubeletEndpoint DaemonEndpoint
NodeFeatures: 1 supplementalGroupsPolicy bool
NodeRuntimeHandler: 1 name string, 2 features NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: 1 recursiveReadOnlyMounts bool, 2 userNamespaces bool
NodeSelector: 1 nodeSelectorTerms []NodeSelectorTerm
NodeSelectorRequirement: 1 key string, 2 operator string, 3 values strings
NodeSelectorTerm: 1 matchExpressions []NodeSelectorRequirement, 2 matchFields []NodeSelectorRequirement
NodeSpec: 1 podCIDR string, 2 externalID string, 3 providerID string, 4 unschedulable true, 5 taints []Taint, 6 configSource NodeConfigSource, 7 podCIDRs strings
NodeStatus: 1 capacity quantities, 2 allocatable quantities, 3 phase string, 4 conditions []NodeCondition, 5 addresses []NodeAddress, 6 daemonEndpoints NodeDaemonEndpoints, 7 nodeInfo NodeSystemInfo, 8 images []ContainerImage, 9 volumesInUse strings, 10 volumesAttached []AttachedVolume, 11 config NodeConfigStatus, 12 runtimeHandlers []NodeRuntimeHandler, 13 features NodeFeatures
NodeSwapStatus: 1 capacity int64
NodeSystemInfo: 1 machineID string, 2 systemUUID string, 3 bootID string, 4 kernelVersion string, 5 osImage string, 6 containerRuntimeVersion string, 7 kubeletVersion string, 8 kubeProxyVersion string, 9 operatingSystem string, 10 architecture string, 11 swap NodeSwapStatus
ObjectFieldSelector: 1 apiVersion string, 2 fieldPath string
ObjectReference: 1 kind string, 2 namespace string, 3 name string, 4 uid string, 5 apiVersion string, 6 resourceVersion string, 7 fieldPath string
OwnerReference: 1 kind string, 3 name string, 4 uid string, 5 apiVersion string, 6 controller bool, 7 blockOwnerDeletion bool
PersistentVolumeClaimSpec: 1 accessModes strings, 2 resources VolumeResourceRequirements, 3 volumeName string, 4 selector LabelSelector, 5 storageClassName anyString, 6 volumeMode anyString, 7 dataSource TypedLocalObjectReference, 8 dataSourceRef TypedObjectReference, 9 volumeAttributesClassName anyString
PersistentVolumeClaimTemplate: 1 metadata ObjectMeta, 2 spec PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: 1 claimName string, 2 readOnly true
PhotonPersistentDiskVolumeSource: 1 pdID string, 2 fsType string
PodAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, 2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodAffinityTerm: 1 labelSelector LabelSelector, 2 namespaces strings, 3 topologyKey string, 4 namespaceSelector LabelSelector, 5 matchLabelKeys strings, 6 mismatchLabelKeys strings
PodAntiAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm, 2 preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
PodCertificateProjection: 1 signerName string, 2 keyType string, 3 maxExpirationSeconds int64, 4 credentialBundlePath string, 5 keyPath string, 6 certificateChainPath string
PodCondition: 1 type string, 2 status string, 3 lastProbeTime time, 4 lastTransitionTime time, 5 reason string, 6 message string, 7 observedGeneration nonzero
PodDNSConfig: 1 nameservers strings, 2 searches strings, 3 options []PodDNSConfigOption
PodDNSConfigOption: 1 name string, 2 value anyString
PodExtendedResourceClaimStatus: 1 requestMappings []ContainerExtendedResourceRequest, 2 resourceClaimName string
PodIP: 1 ip string
PodOS: 1 name string
PodReadinessGate: 1 conditionType string
PodResourceClaim: 1 name string, 3 resourceClaimName anyString, 4 resourceClaimTemplateName anyString
PodResourceClaimStatus: 1 name string, 2 resourceClaimName anyString
PodSchedulingGate: 1 name string
PodSecurityContext: 1 seLinuxOptions SELinuxOptions, 2 runAsUser int64, 3 runAsNonRoot bool, 4 supplementalGroups ints, 5 fsGroup int64, 6 runAsGroup int64, 7 sysctls []Sysctl, 8 windowsOptions WindowsSecurityContextOptions, 9 fsGroupChangePolicy anyString, 10 seccompProfile SeccompProfile, 11 appArmorProfile AppArmorProfile, 12 supplementalGroupsPolicy anyString, 13 seLinuxChangePolicy anyString
PodSpec: 1 volumes []Volume, 2 containers []Container, 3 restartPolicy string, 4 terminationGracePeriodSeconds int64, 5 activeDeadlineSeconds int64, 6 dnsPolicy string, 7 nodeSelector stringMap, 8 serviceAccountName string, 9 serviceAccount string, 10 nodeName string, 11 hostNetwork true, 12 hostPID true, 13 hostIPC true, 14 securityContext PodSecurityContext, 15 imagePullSecrets []LocalObjectReference, 16 hostname string, 17 subdomain string, 18 affinity Affinity, 19 schedulerName string, 20 initContainers []Container, 21 automountServiceAccountToken bool, 22 tolerations []Toleration, 23 hostAliases []HostAlias, 24 priorityClassName string, 25 priority int64, 26 dnsConfig PodDNSConfig, 27 shareProcessNamespace bool, 28 readinessGates []PodReadinessGate, 29 runtimeClassName anyString, 30 enableServiceLinks bool, 31 preemptionPolicy anyString, 32 overhead quantities, 33 topologySpreadConstraints []TopologySpreadConstraint, 34 ephemeralContainers []EphemeralContainer, 35 setHostnameAsFQDN bool, 36 os PodOS, 37 hostUsers bool, 38 schedulingGates []PodSchedulingGate, 39 resourceClaims []PodResourceClaim, 40 resources ResourceRequirements, 41 hostnameOverride anyString
PodStatus: 1 phase string, 2 conditions []PodCondition, 3 message string, 4 reason string, 5 hostIP string, 6 podIP string, 7 startTime time, 8 containerStatuses []ContainerStatus, 9 qosClass string, 10 initContainerStatuses []ContainerStatus, 11 nominatedNodeName string, 12 podIPs []PodIP, 13 ephemeralContainerStatuses []ContainerStatus, 14 resize string, 15 resourceClaimStatuses []PodResourceClaimStatus, 16 hostIPs []HostIP, 17 observedGeneration nonzero, 18 extendedResourceClaimStatus PodExtendedResourceClaimStatus
PortworxVolumeSource: 1 volumeID string, 2 fsType string, 3 readOnly true
PreferredSchedulingTerm: 1 weight int64, 2 preference NodeSelectorTerm
Probe: 1 - ^ProbeHandler, 2 initialDelaySeconds nonzero, 3 timeoutSeconds nonzero, 4 periodSeconds nonzero, 5 successThreshold nonzero, 6 failureThreshold nonzero, 7 terminationGracePeriodSeconds int64
ProbeHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction, 4 grpc GRPCAction
ProjectedVolumeSource: 1 sources []VolumeProjection, 2 defaultMode int64
QuobyteVolumeSource: 1 registry string, 2 volume string, 3 readOnly true, 4 user string, 5 group string, 6 tenant string
RBDVolumeSource: 1 monitors strings, 2 image string, 3 fsType string, 4 pool string, 5 user string, 6 keyring string, 7 secretRef LocalObjectReference, 8 readOnly true
ResourceClaim: 1 name string, 2 request string
ResourceFieldSelector: 1 containerName string, 2 resource string, 3 divisor quantity
ResourceHealth: 1 resourceID string, 2 health string
ResourceRequirements: 1 limits quantities, 2 requests quantities, 3 claims []ResourceClaim
ResourceStatus: 1 name string, 2 resources []ResourceHealth
SELinuxOptions: 1 user string, 2 role string, 3 type string, 4 level string
ScaleIOVolumeSource: 1 gateway string, 2 system string, 3 secretRef LocalObjectReference, 4 sslEnabled true, 5 protectionDomain string, 6 storagePool string, 7 storageMode string, 8 volumeName string, 9 fsType string, 10 readOnly true
SeccompProfile: 1 type string, 2 localhostProfile anyString
SecretEnvSource: 1 - ^LocalObjectReference, 2 optional bool
SecretKeySelector: 1 - ^LocalObjectReference, 2 key string, 3 optional bool
SecretProjection: 1 - ^LocalObjectReference, 2 items []KeyToPath, 4 optional bool
SecretVolumeSource: 1 secretName string, 2 items []KeyToPath, 3 defaultMode int64, 4 optional bool
SecurityContext: 1 capabilities Capabilities, 2 privileged bool, 3 seLinuxOptions SELinuxOptions, 4 runAsUser int64, 5 runAsNonRoot bool, 6 readOnlyRootFilesystem bool, 7 allowPrivilegeEscalation bool, 8 runAsGroup int64, 9 procMount anyString, 10 windowsOptions WindowsSecurityContextOptions, 11 seccompProfile SeccompProfile, 12 appArmorProfile AppArmorProfile
ServiceAccountTokenProjection: 1 audience string, 2 expirationSeconds int64, 3 path string
SleepAction: 1 seconds int64
StorageOSVolumeSource: 1 volumeName string, 2 volumeNamespace string, 3 fsType string, 4 readOnly true, 5 secretRef LocalObjectReference
Sysctl: 1 name string, 2 value string
TCPSocketAction: 1 port intOrString, 2 host string
Taint: 1 key string, 2 value string, 3 effect string, 4 timeAdded time
Toleration: 1 key string, 2 operator string, 3 value string, 4 effect string, 5 tolerationSeconds int64
TopologySpreadConstraint: 1 maxSkew int64, 2 topologyKey string, 3 whenUnsatisfiable string, 4 labelSelector LabelSelector, 5 minDomains int64, 6 nodeAffinityPolicy anyString, 7 nodeTaintsPolicy anyString, 8 matchLabelKeys strings
TypedLocalObjectReference: 1 apiGroup anyString, 2 kind string, 3 name string
TypedObjectReference: 1 apiGroup anyString, 2 kind string, 3 name string, 4 namespace anyString
Volume: 1 name string, 2 - ^VolumeSource
VolumeDevice: 1 name string, 2 devicePath string
VolumeMount: 1 name string, 2 readOnly true, 3 mountPath string, 4 subPath string, 5 mountPropagation anyString, 6 subPathExpr string, 7 recursiveReadOnly anyString
VolumeMountStatus: 1 name string, 2 mountPath string, 3 readOnly true, 4 recursiveReadOnly anyString
VolumeProjection: 1 secret SecretProjection, 2 downwardAPI DownwardAPIProjection, 3 configMap ConfigMapProjection, 4 serviceAccountToken ServiceAccountTokenProjection, 5 clusterTrustBundle ClusterTrustBundleProjection, 6 podCertificate PodCertificateProjection
VolumeResourceRequirements: 1 limits quantities, 2 requests quantities
VolumeSource: 1 hostPath HostPathVolumeSource, 2 emptyDir EmptyDirVolumeSource, 3 gcePersistentDisk GCEPersistentDiskVolumeSource, 4 awsElasticBlockStore AWSElasticBlockStoreVolumeSource, 5 gitRepo GitRepoVolumeSource, 6 secret SecretVolumeSource, 7 nfs NFSVolumeSource, 8 iscsi ISCSIVolumeSource, 9 glusterfs GlusterfsVolumeSource, 10 persistentVolumeClaim PersistentVolumeClaimVolumeSource, 11 rbd RBDVolumeSource, 12 flexVolume FlexVolumeSource, 13 cinder CinderVolumeSource, 14 cephfs CephFSVolumeSource, 15 flocker FlockerVolumeSource, 16 downwardAPI DownwardAPIVolumeSource, 17 fc FCVolumeSource, 18 azureFile AzureFileVolumeSource, 19 configMap ConfigMapVolumeSource, 20 vsphereVolume VsphereVirtualDiskVolumeSource, 21 quobyte QuobyteVolumeSource, 22 azureDisk AzureDiskVolumeSource, 23 photonPersistentDisk PhotonPersistentDiskVolumeSource, 24 portworxVolume PortworxVolumeSource, 25 scaleIO ScaleIOVolumeSource, 26 projected ProjectedVolumeSource, 27 storageos StorageOSVolumeSource, 28 csi CSIVolumeSource, 29 ephemeral EphemeralVolumeSource, 30 image ImageVolumeSource
VsphereVirtualDiskVolumeSource: 1 volumePath string, 2 fsType string, 3 storagePolicyName string, 4 storagePolicyID string
WeightedPodAffinityTerm: 1 weight int64, 2 podAffinityTerm PodAffinityTerm
WindowsSecurityContextOptions: 1 gmsaCredentialSpecName anyString, 2 gmsaCredentialSpec anyString, 3 runAsUserName anyString, 4 hostProcess bool
`
