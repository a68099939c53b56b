#!/bin/sh
# Starts Alertmanager with the receiver of the environment: a webhook, or none.
set -eu
receiver=none
if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
  receiver=webhook
  printf '%s' "$ALERT_WEBHOOK_URL" >/alertmanager/webhook_url
fi
sed "s/^  receiver: .*/  receiver: $receiver/" /etc/alertmanager/alertmanager.yml >/alertmanager/alertmanager.yml
exec /bin/alertmanager --config.file=/alertmanager/alertmanager.yml --storage.path=/alertmanager
