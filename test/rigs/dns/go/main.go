// cloudflare-go against a DNS API. Arguments: the base URL, the token and the zone. Prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/cloudflare/cloudflare-go"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func main() {
	ctx := context.Background()
	api := must(cloudflare.NewWithAPIToken(os.Args[2], cloudflare.BaseURL(os.Args[1])))
	zone := cloudflare.ZoneIdentifier(os.Args[3])

	zones := must(api.ListZones(ctx))
	details := must(api.ZoneDetails(ctx, zone.Identifier))
	user := must(api.UserDetails(ctx))
	verified := must(api.VerifyAPIToken(ctx))
	dnssec := must(api.ZoneDNSSECSetting(ctx, zone.Identifier))
	settings := must(api.ZoneSettings(ctx, zone.Identifier))
	ssl := must(api.GetZoneSetting(ctx, zone, cloudflare.GetZoneSettingParams{Name: "ssl"}))
	rules := must(api.ListPageRules(ctx, zone.Identifier))

	list := func(params cloudflare.ListDNSRecordsParams) []cloudflare.DNSRecord {
		records, _, err := api.ListDNSRecords(ctx, zone, params)
		return must(records, err)
	}
	before := len(list(cloudflare.ListDNSRecordsParams{ResultInfo: cloudflare.ResultInfo{PerPage: 5}}))
	proxied := false
	params := cloudflare.CreateDNSRecordParams{Type: "A", Name: "go.example.com", Content: "192.0.2.80", TTL: 60, Proxied: &proxied}
	made := must(api.CreateDNSRecord(ctx, zone, params))
	_, refused := api.CreateDNSRecord(ctx, zone, params)
	edited := must(api.UpdateDNSRecord(ctx, zone, cloudflare.UpdateDNSRecordParams{ID: made.ID, Content: "192.0.2.81"}))
	read := must(api.GetDNSRecord(ctx, zone, made.ID))

	// The import sends two forms, whose lines end with bare line feeds: records, and those to be proxied.
	file := ";; a zone file\n" +
		"plain.example.com.\t60\tIN\tA\t192.0.2.82\n" +
		"proxied.example.com.\t1\tIN\tA\t192.0.2.83 ; cf_tags=cf-proxied:true\n"
	must(0, api.ImportDNSRecords(ctx, zone, cloudflare.ImportDNSRecordsParams{BINDContents: file}))
	imported := map[string]bool{}
	for _, record := range list(cloudflare.ListDNSRecordsParams{}) {
		if strings.HasPrefix(record.Content, "192.0.2.82") || strings.HasPrefix(record.Content, "192.0.2.83") {
			imported[record.Name] = *record.Proxied
			must(0, api.DeleteDNSRecord(ctx, zone, record.ID))
		}
	}
	exported := must(api.ExportDNSRecords(ctx, zone, cloudflare.ExportDNSRecordsParams{}))
	must(0, api.DeleteDNSRecord(ctx, zone, made.ID))

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"zones":    len(zones),
		"zone":     details.Name,
		"user":     user.Email,
		"token":    verified.Status,
		"dnssec":   dnssec.Status,
		"settings": len(settings.Result) > 20,
		"ssl":      ssl.Value,
		"rules":    len(rules),
		"before":   before,
		"refused":  refused != nil && strings.Contains(refused.Error(), "81058"),
		"edited":   edited.Content,
		"read":     read.Content,
		"imported": imported,
		"exported": strings.Contains(exported, "go.example.com."),
	}))
}
