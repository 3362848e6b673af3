package main

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// leaders runs two managers of controller-runtime. The second one leads once the first one has stopped.
func leaders(ctx context.Context, s server) any {
	ctrl.SetLogger(logr.Discard())
	short := func(seconds int) *time.Duration {
		d := time.Duration(seconds) * time.Second
		return &d
	}
	start := func() (elected <-chan struct{}, stop func()) {
		m := must(ctrl.NewManager(s.config(), manager.Options{
			LeaderElection:                true,
			LeaderElectionID:              "rig",
			LeaderElectionNamespace:       namespace,
			LeaderElectionReleaseOnCancel: true,
			LeaseDuration:                 short(3),
			RenewDeadline:                 short(2),
			RetryPeriod:                   short(1),
			Metrics:                       metricsserver.Options{BindAddress: "0"},
		}))
		running, cancel := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			check(m.Start(running))
		}()
		return m.Elected(), func() {
			cancel()
			<-done
		}
	}
	wait := func(elected <-chan struct{}) bool {
		select {
		case <-elected:
			return true
		case <-time.After(20 * time.Second):
			return false
		}
	}
	client := must(kubernetes.NewForConfig(s.config()))
	lease := func() (string, int32) {
		spec := must(client.CoordinationV1().Leases(namespace).Get(ctx, "rig", metav1.GetOptions{})).Spec
		return *spec.HolderIdentity, *spec.LeaseTransitions
	}

	first, stopFirst := start()
	led := wait(first)
	holder, _ := lease()
	second, stopSecond := start()
	time.Sleep(2 * time.Second)
	early := false
	select {
	case <-second:
		early = true
	default:
	}
	stopFirst()
	took := wait(second)
	other, transitions := lease()
	events := must(client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{}))
	stopSecond()
	return map[string]any{
		"led":         led,
		"early":       early,
		"took":        took,
		"changed":     holder != other,
		"transitions": transitions,
		"events":      len(events.Items) > 0,
	}
}
