package main

import (
	"context"
	"os"

	kubeauth "github.com/hashicorp/vault-plugin-auth-kubernetes"
	"github.com/hashicorp/vault/sdk/logical"
	authv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// vault sets up Vault's Kubernetes auth method as its pages do: a reviewer that is bound to system:auth-delegator, a role, and logins.
func vault(ctx context.Context, s server) any {
	client := must(kubernetes.NewForConfig(s.config()))
	token := func(account string, audiences ...string) string {
		request := &authv1.TokenRequest{Spec: authv1.TokenRequestSpec{Audiences: audiences}}
		accounts := client.CoreV1().ServiceAccounts(namespace)
		return must(accounts.CreateToken(ctx, account, request, metav1.CreateOptions{})).Status.Token
	}
	backend := must(kubeauth.Factory(ctx, &logical.BackendConfig{
		System:      &logical.StaticSystemView{},
		StorageView: &logical.InmemStorage{},
	}))
	storage := &logical.InmemStorage{}
	ca := string(must(os.ReadFile(s.caFile)))
	send := func(operation logical.Operation, path string, data map[string]any) (*logical.Response, error) {
		return backend.HandleRequest(ctx, &logical.Request{
			Operation:  operation,
			Path:       path,
			Data:       data,
			Storage:    storage,
			Connection: &logical.Connection{RemoteAddr: "127.0.0.1"},
		})
	}
	configure := func(reviewer string) {
		answer := must(send(logical.UpdateOperation, "config", map[string]any{
			"kubernetes_host":      s.url,
			"kubernetes_ca_cert":   ca,
			"token_reviewer_jwt":   reviewer,
			"disable_local_ca_jwt": true,
		}))
		if answer != nil && answer.IsError() {
			check(answer.Error())
		}
	}
	must(send(logical.CreateOperation, "role/app", map[string]any{
		"bound_service_account_names":      "demo",
		"bound_service_account_namespaces": namespace,
		"audience":                         "vault",
		"token_policies":                   "default",
	}))
	login := func(jwt string) string {
		answer, err := send(logical.UpdateOperation, "login", map[string]any{"role": "app", "jwt": jwt})
		if err != nil {
			return err.Error()
		}
		if answer.IsError() {
			return answer.Error().Error()
		}
		return answer.Auth.DisplayName
	}

	must(client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "vault-reviewer"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "system:auth-delegator"},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: "builder", Namespace: namespace}},
	}, metav1.CreateOptions{}))
	account := must(client.CoreV1().ServiceAccounts(namespace).Get(ctx, "demo", metav1.GetOptions{}))

	configure(token("builder"))
	good := must(send(logical.UpdateOperation, "login", map[string]any{"role": "app", "jwt": token("demo", "vault")}))
	logins := map[string]any{
		"alias":    good.Auth != nil && good.Auth.Alias.Name == string(account.UID),
		"audience": login(token("demo", "other")),
		"account":  login(token("other", "vault")),
	}
	configure(token("other"))
	logins["reviewer"] = login(token("demo", "vault"))
	configure("")
	// Without a reviewer, the caller's own token is sent to the API server, which does not accept its audience.
	logins["own"] = login(token("demo", "vault"))
	return logins
}
