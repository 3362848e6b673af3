// The objects of the Kubernetes API that a lab and its clients exchange, in the members that are used. Names are
// those of the wire; where `null` and absence differ on the wire, both are named.

/** An object's metadata (meta/v1 ObjectMeta). Times are RFC 3339, in whole seconds, UTC. */
export interface ObjectMeta {
  readonly name?: string
  readonly generateName?: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly creationTimestamp?: string | null
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly ownerReferences?: readonly object[]
  /** Set when the object is to go once its finalizers are gone. */
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly managedFields?: readonly ManagedFields[]
}

/** The owner of fields (meta/v1 ManagedFieldsEntry). */
export interface ManagedFields {
  readonly manager: string
  readonly operation: 'Update' | 'Apply'
  readonly apiVersion: string
  readonly time: string
  readonly fieldsType: 'FieldsV1'
  readonly fieldsV1: object
  readonly subresource?: string
}

/** The object that a token is bound to, and expires with (authentication/v1 BoundObjectReference). */
export interface BoundObjectReference {
  readonly kind?: string
  readonly apiVersion?: string
  readonly name?: string
  readonly uid?: string
}

/** authentication/v1 TokenRequestSpec. */
export interface TokenRequestSpec {
  readonly audiences?: readonly string[] | null
  /** Seconds; the server's default is 3600. */
  readonly expirationSeconds?: number | null
  readonly boundObjectRef?: BoundObjectReference | null
}

/** `POST …/serviceaccounts/NAME/token`, both ways. */
export interface TokenRequest {
  readonly kind?: 'TokenRequest'
  readonly apiVersion?: 'authentication.k8s.io/v1'
  readonly metadata?: ObjectMeta
  readonly spec?: TokenRequestSpec
  readonly status?: {
    readonly token: string
    /** The granted end of the lifetime; the `exp` of the token may be later. */
    readonly expirationTimestamp: string
  }
}

/** A user (authentication/v1 UserInfo). Members without a value are left out. */
export interface UserInfo {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** authentication/v1 TokenReviewStatus. A refused token has no `authenticated` at all. */
export interface TokenReviewStatus {
  readonly authenticated?: boolean
  readonly user?: UserInfo
  readonly audiences?: readonly string[]
  readonly error?: string
}

/** `POST …/tokenreviews`, both ways. */
export interface TokenReview {
  readonly kind?: 'TokenReview'
  readonly apiVersion?: 'authentication.k8s.io/v1'
  readonly metadata?: ObjectMeta
  readonly spec?: { readonly token?: string; readonly audiences?: readonly string[] | null }
  readonly status?: TokenReviewStatus
}

/** `POST …/selfsubjectreviews`, both ways. */
export interface SelfSubjectReview {
  readonly kind?: 'SelfSubjectReview'
  readonly apiVersion?: 'authentication.k8s.io/v1'
  readonly metadata?: ObjectMeta
  readonly status?: { readonly userInfo?: UserInfo }
}

/** An action that a user wants to perform (authorization/v1 ResourceAttributes). */
export interface ResourceAttributes {
  readonly namespace?: string
  readonly verb?: string
  readonly group?: string
  readonly version?: string
  readonly resource?: string
  readonly subresource?: string
  readonly name?: string
}

/** `POST …/selfsubjectaccessreviews`, both ways. */
export interface SelfSubjectAccessReview {
  readonly kind?: 'SelfSubjectAccessReview'
  readonly apiVersion?: 'authorization.k8s.io/v1'
  readonly metadata?: ObjectMeta
  readonly spec?: {
    readonly resourceAttributes?: ResourceAttributes
    readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string }
  }
  readonly status?: { readonly allowed: boolean; readonly denied?: boolean; readonly reason?: string }
}

/** `POST …/subjectaccessreviews` and `…/localsubjectaccessreviews`, both ways: the permission of any user. */
export interface SubjectAccessReview extends Omit<SelfSubjectAccessReview, 'kind' | 'spec'> {
  readonly kind?: 'LocalSubjectAccessReview' | 'SubjectAccessReview'
  readonly spec?: NonNullable<SelfSubjectAccessReview['spec']> & {
    readonly user?: string
    readonly groups?: readonly string[]
    readonly uid?: string
    readonly extra?: Readonly<Record<string, readonly string[]>>
  }
}

/** An object that is nothing but its metadata here: ServiceAccount, Namespace, Secret, Node. */
export interface ApiObject {
  readonly kind?: string
  readonly apiVersion?: string
  readonly metadata?: ObjectMeta
}

/** core/v1 ServiceAccount. */
export interface ServiceAccount extends ApiObject {
  readonly kind?: 'ServiceAccount'
  readonly apiVersion?: 'v1'
}

/** core/v1 Pod, as far as tokens can be bound to it. */
export interface Pod extends ApiObject {
  readonly kind?: 'Pod'
  readonly apiVersion?: 'v1'
  readonly spec?: { readonly serviceAccountName?: string; readonly nodeName?: string }
}

/** A list of objects; its items name neither kind nor apiVersion. */
export interface ObjectList<Item extends ApiObject = ApiObject> {
  readonly kind: string
  readonly apiVersion: string
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string }
  readonly items: readonly Item[]
}

/** Why a request was refused (meta/v1 Status). */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: object
  readonly status: 'Failure' | 'Success'
  readonly message?: string
  /** Such as `NotFound`, `Invalid`, `Unauthorized`, `Forbidden`. */
  readonly reason?: string
  readonly details?: StatusDetails
  /** The HTTP status. */
  readonly code?: number
}

/** The subject of a refusal. */
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly {
    readonly reason?: string
    readonly message?: string
    readonly field?: string
  }[]
  readonly retryAfterSeconds?: number
}

/** `GET /.well-known/openid-configuration` of a cluster. */
export interface ClusterDiscovery {
  readonly issuer: string
  readonly jwks_uri: string
  readonly response_types_supported: readonly string[]
  readonly subject_types_supported: readonly string[]
  readonly id_token_signing_alg_values_supported: readonly string[]
}

/** The private claims of a service account token. */
export interface KubernetesClaims {
  readonly namespace: string
  readonly node?: { readonly name: string; readonly uid: string }
  readonly pod?: { readonly name: string; readonly uid: string }
  readonly secret?: { readonly name: string; readonly uid: string }
  readonly serviceaccount: { readonly name: string; readonly uid: string }
  /** NumericDate: from then on the token should have been renewed, though it is good for longer. */
  readonly warnafter?: number
}

/** The verifiers of cluster tokens that `k8s doctor` knows. */
export const VERIFIERS = ['api', 'vault', 'aws', 'azure', 'gcp'] as const

/** A verifier by its short name. */
export type Verifier = (typeof VERIFIERS)[number]
