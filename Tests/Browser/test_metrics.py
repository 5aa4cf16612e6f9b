# SPDX-License-Identifier: MIT
"""The text of /metrics, read by Prometheus' own parser."""

import json
import urllib.request

from prometheus_client.parser import text_string_to_metric_families


def fetch(url, body=None, cookie=None):
    request = urllib.request.Request(url, data=body, method="GET" if body is None else "POST")
    if body:
        request.add_header("Content-Type", "application/json")
    if cookie:
        request.add_header("Cookie", cookie)
    with urllib.request.urlopen(request) as response:
        return response.headers, response.read().decode()


def test_the_metrics_are_what_prometheus_takes(url):
    headers, opened = fetch(url + "sessions/login", b"{}")
    cookie = headers["Set-Cookie"].split(";")[0]
    action = url.rstrip("/") + json.loads(opened)["url"] + "/actions/usernameDidChange"
    for _ in range(3):
        fetch(action, b'"maruko"', cookie)
    headers, text = fetch(url + "metrics")
    assert headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"

    families = {family.name: family for family in text_string_to_metric_families(text)}
    samples = [(sample.name, tuple(sorted(sample.labels.items()))) for f in families.values() for sample in f.samples]
    assert len(samples) == len(set(samples)), "no series is there twice"
    assert all(family.documentation and family.type != "unknown" for family in families.values())

    actions = [
        sample.value
        for sample in families["euripus_http_requests"].samples
        if sample.labels
        == {"route": "/sessions/{model}/{id}/actions/{path}", "method": "POST", "status": "200"}
    ]
    assert len(actions) == 1 and actions[0] >= 3

    histogram = families["euripus_action_duration_seconds"]
    assert histogram.type == "histogram"
    of_login = [sample for sample in histogram.samples if sample.labels["model"] == "login"]
    buckets = [(float(s.labels["le"]), s.value) for s in of_login if s.name.endswith("_bucket")]
    assert buckets == sorted(buckets) and buckets[-1][0] == float("inf")
    assert [count for _, count in buckets] == sorted(count for _, count in buckets)
    count = next(sample.value for sample in of_login if sample.name.endswith("_count"))
    assert count == buckets[-1][1] >= 3
    assert next(sample.value for sample in of_login if sample.name.endswith("_sum")) > 0
    assert families["process_resident_memory_bytes"].samples[0].value > 1_000_000
