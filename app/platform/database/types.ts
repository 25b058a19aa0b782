// Written by `npm run database:types` from supabase/migrations. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      api_requests: {
        Row: {
          answer: Json | null;
          began_at: string;
          key: string;
          request_hash: string;
          token_id: string;
          workspace_id: string;
        };
        Insert: {
          answer?: Json | null;
          began_at?: string;
          key: string;
          request_hash: string;
          token_id: string;
          workspace_id: string;
        };
        Update: {
          answer?: Json | null;
          began_at?: string;
          key?: string;
          request_hash?: string;
          token_id?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "api_requests_token_id_fkey";
            columns: ["token_id"];
            isOneToOne: false;
            referencedRelation: "workspace_tokens";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "api_requests_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      api_tokens: {
        Row: {
          created_at: string;
          ending: string;
          ends_at: string | null;
          id: string;
          last_used_at: string | null;
          name: string;
          scopes: string[];
          token_hash: string;
          user_id: string;
          workspace_id: string;
        };
        Insert: {
          created_at?: string;
          ending: string;
          ends_at?: string | null;
          id?: string;
          last_used_at?: string | null;
          name: string;
          scopes?: string[];
          token_hash: string;
          user_id: string;
          workspace_id: string;
        };
        Update: {
          created_at?: string;
          ending?: string;
          ends_at?: string | null;
          id?: string;
          last_used_at?: string | null;
          name?: string;
          scopes?: string[];
          token_hash?: string;
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "api_tokens_member_fkey";
            columns: ["user_id", "workspace_id"];
            isOneToOne: false;
            referencedRelation: "members";
            referencedColumns: ["user_id", "workspace_id"];
          },
        ];
      };
      approver_passkeys: {
        Row: {
          created_at: string;
          credential: string;
          fingerprint: string;
          id: string;
          last_used_at: string | null;
          name: string;
          public_key: string;
          user_id: string;
          workspace_id: string;
        };
        Insert: {
          created_at?: string;
          credential: string;
          fingerprint: string;
          id?: string;
          last_used_at?: string | null;
          name: string;
          public_key: string;
          user_id: string;
          workspace_id: string;
        };
        Update: {
          created_at?: string;
          credential?: string;
          fingerprint?: string;
          id?: string;
          last_used_at?: string | null;
          name?: string;
          public_key?: string;
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "approver_passkeys_user_id_workspace_id_fkey";
            columns: ["user_id", "workspace_id"];
            isOneToOne: false;
            referencedRelation: "members";
            referencedColumns: ["user_id", "workspace_id"];
          },
          {
            foreignKeyName: "approver_passkeys_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      audit_log: {
        Row: {
          action: string;
          actor: string | null;
          actor_address: string;
          after: Json | null;
          answer: string | null;
          at: string;
          before: Json | null;
          id: number;
          network: string;
          target: string;
          target_id: string | null;
          workspace_id: string;
        };
        Insert: {
          action: string;
          actor?: string | null;
          actor_address?: string;
          after?: Json | null;
          answer?: string | null;
          at?: string;
          before?: Json | null;
          id?: number;
          network?: string;
          target?: string;
          target_id?: string | null;
          workspace_id: string;
        };
        Update: {
          action?: string;
          actor?: string | null;
          actor_address?: string;
          after?: Json | null;
          answer?: string | null;
          at?: string;
          before?: Json | null;
          id?: number;
          network?: string;
          target?: string;
          target_id?: string | null;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "audit_log_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      closed_customers: {
        Row: {
          closed_at: string;
          id: string;
        };
        Insert: {
          closed_at?: string;
          id: string;
        };
        Update: {
          closed_at?: string;
          id?: string;
        };
        Relationships: [];
      };
      closed_fleets: {
        Row: {
          closed_at: string;
          due_at: string;
          workspace_id: string;
        };
        Insert: {
          closed_at?: string;
          due_at?: string;
          workspace_id: string;
        };
        Update: {
          closed_at?: string;
          due_at?: string;
          workspace_id?: string;
        };
        Relationships: [];
      };
      code_tries: {
        Row: {
          kind: string;
          since: string;
          subject_hash: string;
          tries: number;
        };
        Insert: {
          kind: string;
          since: string;
          subject_hash: string;
          tries: number;
        };
        Update: {
          kind?: string;
          since?: string;
          subject_hash?: string;
          tries?: number;
        };
        Relationships: [];
      };
      connection_test_embeds: {
        Row: {
          channel: string | null;
          created_at: string;
          deployment_id: string;
          ended_at: string | null;
          id: string;
          label: string;
          origins: string[];
        };
        Insert: {
          channel?: string | null;
          created_at?: string;
          deployment_id: string;
          ended_at?: string | null;
          id?: string;
          label: string;
          origins: string[];
        };
        Update: {
          channel?: string | null;
          created_at?: string;
          deployment_id?: string;
          ended_at?: string | null;
          id?: string;
          label?: string;
          origins?: string[];
        };
        Relationships: [
          {
            foreignKeyName: "connection_test_embeds_deployment_id_fkey";
            columns: ["deployment_id"];
            isOneToOne: false;
            referencedRelation: "deployments";
            referencedColumns: ["id"];
          },
        ];
      };
      connection_test_links: {
        Row: {
          created_at: string;
          deployment_id: string;
          ended_at: string | null;
          expires_at: string;
          id: string;
          label: string;
          secret_hash: string;
        };
        Insert: {
          created_at?: string;
          deployment_id: string;
          ended_at?: string | null;
          expires_at?: string;
          id?: string;
          label: string;
          secret_hash: string;
        };
        Update: {
          created_at?: string;
          deployment_id?: string;
          ended_at?: string | null;
          expires_at?: string;
          id?: string;
          label?: string;
          secret_hash?: string;
        };
        Relationships: [
          {
            foreignKeyName: "connection_test_links_deployment_id_fkey";
            columns: ["deployment_id"];
            isOneToOne: false;
            referencedRelation: "deployments";
            referencedColumns: ["id"];
          },
        ];
      };
      connection_tests: {
        Row: {
          deployment_id: string;
          embed_id: string | null;
          id: string;
          link_id: string | null;
          ran_at: string;
          result: Json;
        };
        Insert: {
          deployment_id: string;
          embed_id?: string | null;
          id?: string;
          link_id?: string | null;
          ran_at?: string;
          result: Json;
        };
        Update: {
          deployment_id?: string;
          embed_id?: string | null;
          id?: string;
          link_id?: string | null;
          ran_at?: string;
          result?: Json;
        };
        Relationships: [
          {
            foreignKeyName: "connection_tests_deployment_id_fkey";
            columns: ["deployment_id"];
            isOneToOne: false;
            referencedRelation: "deployments";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "connection_tests_embed_id_fkey";
            columns: ["embed_id"];
            isOneToOne: false;
            referencedRelation: "connection_test_embeds";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "connection_tests_link_id_fkey";
            columns: ["link_id"];
            isOneToOne: false;
            referencedRelation: "connection_test_links";
            referencedColumns: ["id"];
          },
        ];
      };
      contact_answers: {
        Row: {
          answer: string;
          created_at: string;
          id: string;
          message_id: string;
        };
        Insert: {
          answer: string;
          created_at?: string;
          id?: string;
          message_id: string;
        };
        Update: {
          answer?: string;
          created_at?: string;
          id?: string;
          message_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "contact_answers_message_id_fkey";
            columns: ["message_id"];
            isOneToOne: false;
            referencedRelation: "contact_messages";
            referencedColumns: ["id"];
          },
        ];
      };
      contact_messages: {
        Row: {
          created_at: string;
          deployment_id: string | null;
          deployment_version: number | null;
          email: string;
          id: string;
          message: string;
          name: string;
          sender: string | null;
          status: string;
          topic: string;
          user_id: string | null;
        };
        Insert: {
          created_at?: string;
          deployment_id?: string | null;
          deployment_version?: number | null;
          email: string;
          id?: string;
          message: string;
          name: string;
          sender?: string | null;
          status?: string;
          topic: string;
          user_id?: string | null;
        };
        Update: {
          created_at?: string;
          deployment_id?: string | null;
          deployment_version?: number | null;
          email?: string;
          id?: string;
          message?: string;
          name?: string;
          sender?: string | null;
          status?: string;
          topic?: string;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "contact_messages_deployment_id_fkey";
            columns: ["deployment_id"];
            isOneToOne: false;
            referencedRelation: "deployments";
            referencedColumns: ["id"];
          },
        ];
      };
      customers: {
        Row: {
          card_brand: string | null;
          card_expires_at: string | null;
          card_last4: string | null;
          created_at: string;
          deletion_asked_at: string | null;
          email: string | null;
          followed_address: string | null;
          id: string;
          missing_since: string | null;
          origin: string;
          refused_address: string | null;
          stripe_created_at: string | null;
          sync_ticket: number;
          user_id: string | null;
          workspace_id: string | null;
        };
        Insert: {
          card_brand?: string | null;
          card_expires_at?: string | null;
          card_last4?: string | null;
          created_at?: string;
          deletion_asked_at?: string | null;
          email?: string | null;
          followed_address?: string | null;
          id: string;
          missing_since?: string | null;
          origin: string;
          refused_address?: string | null;
          stripe_created_at?: string | null;
          sync_ticket?: number;
          user_id?: string | null;
          workspace_id?: string | null;
        };
        Update: {
          card_brand?: string | null;
          card_expires_at?: string | null;
          card_last4?: string | null;
          created_at?: string;
          deletion_asked_at?: string | null;
          email?: string | null;
          followed_address?: string | null;
          id?: string;
          missing_since?: string | null;
          origin?: string;
          refused_address?: string | null;
          stripe_created_at?: string | null;
          sync_ticket?: number;
          user_id?: string | null;
          workspace_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "customers_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      deployment_versions: {
        Row: {
          deployment_id: string;
          note: string;
          options: Json;
          restored_from: number | null;
          saved_at: string;
          saved_by: string | null;
          version: number;
        };
        Insert: {
          deployment_id: string;
          note?: string;
          options: Json;
          restored_from?: number | null;
          saved_at?: string;
          saved_by?: string | null;
          version: number;
        };
        Update: {
          deployment_id?: string;
          note?: string;
          options?: Json;
          restored_from?: number | null;
          saved_at?: string;
          saved_by?: string | null;
          version?: number;
        };
        Relationships: [
          {
            foreignKeyName: "deployment_versions_deployment_id_fkey";
            columns: ["deployment_id"];
            isOneToOne: false;
            referencedRelation: "deployments";
            referencedColumns: ["id"];
          },
        ];
      };
      deployments: {
        Row: {
          applied_at: string | null;
          applied_version: number | null;
          created_at: string;
          deleted_at: string | null;
          id: string;
          name: string;
          options: Json;
          progress: Json;
          server_ipv4: string | null;
          server_ipv6: string | null;
          server_version: number | null;
          ticks: Json;
          updated_at: string;
          user_id: string | null;
          version: number;
          workspace_id: string | null;
        };
        Insert: {
          applied_at?: string | null;
          applied_version?: number | null;
          created_at?: string;
          deleted_at?: string | null;
          id?: string;
          name: string;
          options: Json;
          progress?: Json;
          server_ipv4?: string | null;
          server_ipv6?: string | null;
          server_version?: number | null;
          ticks?: Json;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
          workspace_id?: string | null;
        };
        Update: {
          applied_at?: string | null;
          applied_version?: number | null;
          created_at?: string;
          deleted_at?: string | null;
          id?: string;
          name?: string;
          options?: Json;
          progress?: Json;
          server_ipv4?: string | null;
          server_ipv6?: string | null;
          server_version?: number | null;
          ticks?: Json;
          updated_at?: string;
          user_id?: string | null;
          version?: number;
          workspace_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "deployments_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      fleets: {
        Row: {
          due_at: string;
          history_over_of: string | null;
          made_at: string;
          workspace_id: string;
        };
        Insert: {
          due_at?: string;
          history_over_of?: string | null;
          made_at?: string;
          workspace_id: string;
        };
        Update: {
          due_at?: string;
          history_over_of?: string | null;
          made_at?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "fleets_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: true;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      invitation_counts: {
        Row: {
          day: string;
          sent: number;
          subject_hash: string;
        };
        Insert: {
          day: string;
          sent: number;
          subject_hash: string;
        };
        Update: {
          day?: string;
          sent?: number;
          subject_hash?: string;
        };
        Relationships: [];
      };
      invitations: {
        Row: {
          accepted_by: string | null;
          address: string;
          created_at: string;
          expires_at: string;
          id: string;
          invited_by: string | null;
          role: string;
          sends: number;
          workspace_id: string;
        };
        Insert: {
          accepted_by?: string | null;
          address: string;
          created_at?: string;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          role: string;
          sends?: number;
          workspace_id: string;
        };
        Update: {
          accepted_by?: string | null;
          address?: string;
          created_at?: string;
          expires_at?: string;
          id?: string;
          invited_by?: string | null;
          role?: string;
          sends?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "invitations_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      mail_budget: {
        Row: {
          day: string;
          hour: string;
          only_row: boolean;
          since: string;
          tried: number;
          tried_on_day: number;
        };
        Insert: {
          day?: string;
          hour?: string;
          only_row?: boolean;
          since?: string;
          tried?: number;
          tried_on_day?: number;
        };
        Update: {
          day?: string;
          hour?: string;
          only_row?: boolean;
          since?: string;
          tried?: number;
          tried_on_day?: number;
        };
        Relationships: [];
      };
      mail_outbox: {
        Row: {
          attempts: number;
          created_at: string;
          customer_id: string | null;
          data: Json;
          first_attempt_at: string | null;
          gave_up_at: string | null;
          id: string;
          kind: string;
          next_attempt_at: string;
          occasion: string;
          sent_at: string | null;
        };
        Insert: {
          attempts?: number;
          created_at?: string;
          customer_id?: string | null;
          data?: Json;
          first_attempt_at?: string | null;
          gave_up_at?: string | null;
          id?: string;
          kind: string;
          next_attempt_at?: string;
          occasion: string;
          sent_at?: string | null;
        };
        Update: {
          attempts?: number;
          created_at?: string;
          customer_id?: string | null;
          data?: Json;
          first_attempt_at?: string | null;
          gave_up_at?: string | null;
          id?: string;
          kind?: string;
          next_attempt_at?: string;
          occasion?: string;
          sent_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "mail_outbox_customer_id_fkey";
            columns: ["customer_id"];
            isOneToOne: false;
            referencedRelation: "customers";
            referencedColumns: ["id"];
          },
        ];
      };
      members: {
        Row: {
          joined_at: string;
          role: string;
          user_id: string;
          workspace_id: string;
        };
        Insert: {
          joined_at?: string;
          role: string;
          user_id: string;
          workspace_id: string;
        };
        Update: {
          joined_at?: string;
          role?: string;
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "members_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      model_configuration_versions: {
        Row: {
          instructions: string;
          model: string;
          restored_from: number | null;
          saved_at: string;
          saved_by: string;
          transcription_model: string;
          user_id: string | null;
          version: number;
          voice: string;
          workspace_id: string;
        };
        Insert: {
          instructions: string;
          model: string;
          restored_from?: number | null;
          saved_at?: string;
          saved_by: string;
          transcription_model: string;
          user_id?: string | null;
          version: number;
          voice: string;
          workspace_id: string;
        };
        Update: {
          instructions?: string;
          model?: string;
          restored_from?: number | null;
          saved_at?: string;
          saved_by?: string;
          transcription_model?: string;
          user_id?: string | null;
          version?: number;
          voice?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "model_configuration_versions_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      reconciliation: {
        Row: {
          only_row: boolean;
          place: Json;
          saved_at: string;
          version: number;
        };
        Insert: {
          only_row?: boolean;
          place: Json;
          saved_at?: string;
          version: number;
        };
        Update: {
          only_row?: boolean;
          place?: Json;
          saved_at?: string;
          version?: number;
        };
        Relationships: [];
      };
      recovery_codes: {
        Row: {
          code_hash: string;
          factors: string[];
          made_at: string;
          used_at: string | null;
          user_id: string;
        };
        Insert: {
          code_hash: string;
          factors: string[];
          made_at?: string;
          used_at?: string | null;
          user_id: string;
        };
        Update: {
          code_hash?: string;
          factors?: string[];
          made_at?: string;
          used_at?: string | null;
          user_id?: string;
        };
        Relationships: [];
      };
      servers: {
        Row: {
          deployment_id: string | null;
          enrolled_at: string;
          id: string;
          name: string;
          retired_at: string | null;
          workspace_id: string;
        };
        Insert: {
          deployment_id?: string | null;
          enrolled_at: string;
          id: string;
          name: string;
          retired_at?: string | null;
          workspace_id: string;
        };
        Update: {
          deployment_id?: string | null;
          enrolled_at?: string;
          id?: string;
          name?: string;
          retired_at?: string | null;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "servers_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      sso_connections: {
        Row: {
          created_at: string;
          ended_provider: string | null;
          is_required: boolean;
          metadata_url: string | null;
          provider: string | null;
          workspace_id: string;
        };
        Insert: {
          created_at?: string;
          ended_provider?: string | null;
          is_required?: boolean;
          metadata_url?: string | null;
          provider?: string | null;
          workspace_id: string;
        };
        Update: {
          created_at?: string;
          ended_provider?: string | null;
          is_required?: boolean;
          metadata_url?: string | null;
          provider?: string | null;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "sso_connections_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: true;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      sso_domains: {
        Row: {
          created_at: string;
          domain: string;
          token: string;
          verified_at: string | null;
          workspace_id: string;
        };
        Insert: {
          created_at?: string;
          domain: string;
          token?: string;
          verified_at?: string | null;
          workspace_id: string;
        };
        Update: {
          created_at?: string;
          domain?: string;
          token?: string;
          verified_at?: string | null;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "sso_domains_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "sso_connections";
            referencedColumns: ["workspace_id"];
          },
        ];
      };
      sso_removals: {
        Row: {
          address_hash: string;
          removed_at: string;
          user_id: string | null;
          workspace_id: string;
        };
        Insert: {
          address_hash: string;
          removed_at?: string;
          user_id?: string | null;
          workspace_id: string;
        };
        Update: {
          address_hash?: string;
          removed_at?: string;
          user_id?: string | null;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "sso_removals_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      stripe_events: {
        Row: {
          created_at: string;
          handled_at: string | null;
          id: string;
          type: string;
        };
        Insert: {
          created_at: string;
          handled_at?: string | null;
          id: string;
          type: string;
        };
        Update: {
          created_at?: string;
          handled_at?: string | null;
          id?: string;
          type?: string;
        };
        Relationships: [];
      };
      subscriptions: {
        Row: {
          billing_interval: string;
          cancel_at: string | null;
          cancelled_since: string | null;
          card_brand: string | null;
          card_expires_at: string | null;
          card_last4: string | null;
          changes_at: string | null;
          created_at: string;
          currency: string;
          current_period_end: string | null;
          customer_id: string;
          discounts: Json;
          end_reason: string | null;
          ended_at: string | null;
          id: string;
          interval_count: number | null;
          next_amount: number | null;
          next_interval: string | null;
          next_plan: string | null;
          next_price_id: string | null;
          past_due_since: string | null;
          paused_from: string | null;
          paused_since: string | null;
          paused_until: string | null;
          pending_until: string | null;
          plan: string | null;
          plan_since: string | null;
          price_id: string;
          quantity: number | null;
          status: string;
          tax: string | null;
          unit_amount: number | null;
        };
        Insert: {
          billing_interval: string;
          cancel_at?: string | null;
          cancelled_since?: string | null;
          card_brand?: string | null;
          card_expires_at?: string | null;
          card_last4?: string | null;
          changes_at?: string | null;
          created_at: string;
          currency: string;
          current_period_end?: string | null;
          customer_id: string;
          discounts?: Json;
          end_reason?: string | null;
          ended_at?: string | null;
          id: string;
          interval_count?: number | null;
          next_amount?: number | null;
          next_interval?: string | null;
          next_plan?: string | null;
          next_price_id?: string | null;
          past_due_since?: string | null;
          paused_from?: string | null;
          paused_since?: string | null;
          paused_until?: string | null;
          pending_until?: string | null;
          plan?: string | null;
          plan_since?: string | null;
          price_id: string;
          quantity?: number | null;
          status: string;
          tax?: string | null;
          unit_amount?: number | null;
        };
        Update: {
          billing_interval?: string;
          cancel_at?: string | null;
          cancelled_since?: string | null;
          card_brand?: string | null;
          card_expires_at?: string | null;
          card_last4?: string | null;
          changes_at?: string | null;
          created_at?: string;
          currency?: string;
          current_period_end?: string | null;
          customer_id?: string;
          discounts?: Json;
          end_reason?: string | null;
          ended_at?: string | null;
          id?: string;
          interval_count?: number | null;
          next_amount?: number | null;
          next_interval?: string | null;
          next_plan?: string | null;
          next_price_id?: string | null;
          past_due_since?: string | null;
          paused_from?: string | null;
          paused_since?: string | null;
          paused_until?: string | null;
          pending_until?: string | null;
          plan?: string | null;
          plan_since?: string | null;
          price_id?: string;
          quantity?: number | null;
          status?: string;
          tax?: string | null;
          unit_amount?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: "subscriptions_customer_id_fkey";
            columns: ["customer_id"];
            isOneToOne: false;
            referencedRelation: "customers";
            referencedColumns: ["id"];
          },
        ];
      };
      token_allowances: {
        Row: {
          changed_at: string;
          identity: string;
          remaining: number;
          workspace_id: string;
        };
        Insert: {
          changed_at?: string;
          identity: string;
          remaining: number;
          workspace_id: string;
        };
        Update: {
          changed_at?: string;
          identity?: string;
          remaining?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "token_allowances_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      token_usage_counts: {
        Row: {
          day: string;
          events: number;
          workspace_id: string;
        };
        Insert: {
          day: string;
          events: number;
          workspace_id: string;
        };
        Update: {
          day?: string;
          events?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "token_usage_counts_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: true;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      token_usage_days: {
        Row: {
          cached_tokens: number;
          day: string;
          identity: string;
          input_audio_tokens: number;
          input_text_tokens: number;
          input_tokens: number;
          output_audio_tokens: number;
          output_text_tokens: number;
          output_tokens: number;
          responses: number;
          total_tokens: number;
          workspace_id: string;
        };
        Insert: {
          cached_tokens: number;
          day: string;
          identity: string;
          input_audio_tokens: number;
          input_text_tokens: number;
          input_tokens: number;
          output_audio_tokens: number;
          output_text_tokens: number;
          output_tokens: number;
          responses: number;
          total_tokens: number;
          workspace_id: string;
        };
        Update: {
          cached_tokens?: number;
          day?: string;
          identity?: string;
          input_audio_tokens?: number;
          input_text_tokens?: number;
          input_tokens?: number;
          output_audio_tokens?: number;
          output_text_tokens?: number;
          output_tokens?: number;
          responses?: number;
          total_tokens?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "token_usage_days_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      token_usage_events: {
        Row: {
          event_id: string;
          happened_at: string | null;
          identity: string | null;
          recorded_at: string;
          usage: Json | null;
          workspace_id: string;
        };
        Insert: {
          event_id: string;
          happened_at?: string | null;
          identity?: string | null;
          recorded_at?: string;
          usage?: Json | null;
          workspace_id: string;
        };
        Update: {
          event_id?: string;
          happened_at?: string | null;
          identity?: string | null;
          recorded_at?: string;
          usage?: Json | null;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "token_usage_events_workspace_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      trials: {
        Row: {
          ends_at: string;
          seeded: string[];
          user_id: string;
          workspace_id: string;
        };
        Insert: {
          ends_at?: string;
          seeded?: string[];
          user_id: string;
          workspace_id: string;
        };
        Update: {
          ends_at?: string;
          seeded?: string[];
          user_id?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "trials_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: true;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      unsaved_changes: {
        Row: {
          changes: Json;
          deployment_id: string | null;
          discarded: boolean;
          updated_at: string;
          user_id: string;
          workspace_id: string | null;
        };
        Insert: {
          changes: Json;
          deployment_id?: string | null;
          discarded?: boolean;
          updated_at?: string;
          user_id: string;
          workspace_id?: string | null;
        };
        Update: {
          changes?: Json;
          deployment_id?: string | null;
          discarded?: boolean;
          updated_at?: string;
          user_id?: string;
          workspace_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: "unsaved_changes_deployment_id_fkey";
            columns: ["deployment_id"];
            isOneToOne: false;
            referencedRelation: "deployments";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "unsaved_changes_member_fkey";
            columns: ["user_id", "workspace_id"];
            isOneToOne: false;
            referencedRelation: "members";
            referencedColumns: ["user_id", "workspace_id"];
          },
        ];
      };
      webhook_events: {
        Row: {
          audit_id: number;
          workspace_id: string;
        };
        Insert: {
          audit_id: number;
          workspace_id: string;
        };
        Update: {
          audit_id?: number;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "webhook_events_audit_id_fkey";
            columns: ["audit_id"];
            isOneToOne: true;
            referencedRelation: "audit_log";
            referencedColumns: ["id"];
          },
          {
            foreignKeyName: "webhook_events_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "webhook_workspaces";
            referencedColumns: ["workspace_id"];
          },
        ];
      };
      webhook_workspaces: {
        Row: {
          called_at: string;
          workspace_id: string;
        };
        Insert: {
          called_at?: string;
          workspace_id: string;
        };
        Update: {
          called_at?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "webhook_workspaces_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: true;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      workspace_tokens: {
        Row: {
          calls: number;
          created_at: string;
          ending: string;
          ends_at: string;
          id: string;
          last_used_on: string | null;
          made_by: string | null;
          minute: string | null;
          name: string;
          scopes: string[];
          token_hash: string;
          workspace_id: string;
        };
        Insert: {
          calls?: number;
          created_at?: string;
          ending: string;
          ends_at: string;
          id?: string;
          last_used_on?: string | null;
          made_by?: string | null;
          minute?: string | null;
          name: string;
          scopes: string[];
          token_hash: string;
          workspace_id: string;
        };
        Update: {
          calls?: number;
          created_at?: string;
          ending?: string;
          ends_at?: string;
          id?: string;
          last_used_on?: string | null;
          made_by?: string | null;
          minute?: string | null;
          name?: string;
          scopes?: string[];
          token_hash?: string;
          workspace_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: "workspace_tokens_workspace_id_fkey";
            columns: ["workspace_id"];
            isOneToOne: false;
            referencedRelation: "workspaces";
            referencedColumns: ["id"];
          },
        ];
      };
      workspaces: {
        Row: {
          approvals_needed: number;
          approvers_revision: number;
          created_at: string;
          id: string;
          name: string;
          needs_second_factor: boolean;
          personal_of: string | null;
          slug: string;
        };
        Insert: {
          approvals_needed?: number;
          approvers_revision?: number;
          created_at?: string;
          id?: string;
          name?: string;
          needs_second_factor?: boolean;
          personal_of?: string | null;
          slug?: string;
        };
        Update: {
          approvals_needed?: number;
          approvers_revision?: number;
          created_at?: string;
          id?: string;
          name?: string;
          needs_second_factor?: boolean;
          personal_of?: string | null;
          slug?: string;
        };
        Relationships: [];
      };
    };
    Views: Record<never, never>;
    Functions: {
      accept_invitation: {
        Args: {
          actor: string;
          allowed: number;
          invitation: string;
          of_send: number;
        };
        Returns: string;
      };
      account_of_mailed_link: {
        Args: {
          hash: string;
        };
        Returns: Json;
      };
      account_plan: {
        Args: {
          basic_prices: string[];
          owner: string;
        };
        Returns: string;
      };
      add_approver_passkey: {
        Args: {
          actor: string;
          allowed: number;
          new_credential: string;
          new_fingerprint: string;
          new_key: string;
          new_name: string;
          workspace: string;
        };
        Returns: string;
      };
      address_of: {
        Args: {
          person: string;
        };
        Returns: string;
      };
      adopt_identity: {
        Args: {
          begun: string;
          flow_session: string;
          newcomer: string;
          person: string;
          wanted_provider: string;
        };
        Returns: string;
      };
      answer_contact_message: {
        Args: {
          answer: string;
          message: string;
        };
        Returns: undefined;
      };
      apply_deployment_version: {
        Args: {
          new_version?: number;
          owner: string;
          target: string;
        };
        Returns: boolean;
      };
      approvers_of: {
        Args: {
          workspace: string;
        };
        Returns: Json;
      };
      arrive: {
        Args: {
          person: string;
        };
        Returns: undefined;
      };
      begin_account_deletion: {
        Args: {
          person: string;
        };
        Returns: Json;
      };
      begin_api_request: {
        Args: {
          allowed: number;
          new_hash: string;
          new_key: string;
          token: string;
        };
        Returns: Json;
      };
      begin_change: {
        Args: {
          actor: string;
          others?: string[];
          wanted: string;
          workspace: string;
        };
        Returns: string;
      };
      begin_customer_sync: {
        Args: {
          of_customer: string;
        };
        Returns: Json;
      };
      begin_trial: {
        Args: {
          person: string;
          seeds: Json;
        };
        Returns: Json;
      };
      billing_contact: {
        Args: {
          workspace: string;
        };
        Returns: string;
      };
      buying_customer: {
        Args: {
          person: string;
          workspace: string;
        };
        Returns: Json;
      };
      caller_network: {
        Args: Record<never, never>;
        Returns: string;
      };
      came_by_sso: {
        Args: {
          person: string;
          provider: string;
        };
        Returns: boolean;
      };
      change_role: {
        Args: {
          actor: string;
          new_role: string;
          person: string;
          workspace: string;
        };
        Returns: string;
      };
      change_sso: {
        Args: {
          act: string;
          actor: string;
          value: string;
          workspace: string;
        };
        Returns: string;
      };
      changed_fields: {
        Args: {
          former: Json;
          latter: Json;
        };
        Returns: unknown;
      };
      check_session: {
        Args: {
          person: string;
          session: string;
        };
        Returns: string;
      };
      claim_guest_purchases: {
        Args: {
          claimant: string;
          verified_email: string;
        };
        Returns: number;
      };
      claim_mails: {
        Args: {
          a_day: number;
          an_hour: number;
          at_most: number;
        };
        Returns: Json;
      };
      code_try_subject: {
        Args: {
          subject: string;
        };
        Returns: string;
      };
      compare_customers: {
        Args: {
          listed: Json;
          newer_than?: string;
          tied: string[];
          up_to: string;
        };
        Returns: Json;
      };
      compare_subscriptions: {
        Args: {
          listed: Json;
          newer_than?: string;
          tied: string[];
          up_to: string;
        };
        Returns: Json;
      };
      confirmed_member_address: {
        Args: {
          actor: string;
          person: string;
          workspace: string;
        };
        Returns: string;
      };
      connection_test_embed: {
        Args: {
          embed: string;
        };
        Returns: unknown[];
      };
      connection_test_link: {
        Args: {
          hash: string;
        };
        Returns: unknown[];
      };
      count_invitation: {
        Args: {
          actor: string;
          invited_address: string;
          workspace: string;
        };
        Returns: boolean;
      };
      create_api_token: {
        Args: {
          allowed: number;
          new_end?: string;
          new_ending: string;
          new_hash: string;
          new_name: string;
          new_scopes?: string[];
          owner: string;
          workspace?: string;
        };
        Returns: boolean;
      };
      create_deployment: {
        Args: {
          allowed: number;
          new_name: string;
          new_options: Json;
          owner: string;
          saver?: string;
          workspace?: string;
        };
        Returns: string;
      };
      create_workspace: {
        Args: {
          actor: string;
          new_id: string;
          new_name: string;
        };
        Returns: string;
      };
      create_workspace_token: {
        Args: {
          actor: string;
          allowed: number;
          new_end: string;
          new_ending: string;
          new_hash: string;
          new_name: string;
          new_scopes: string[];
          workspace: string;
        };
        Returns: boolean;
      };
      customers_of: {
        Args: {
          person: string;
          workspace: string;
        };
        Returns: unknown[];
      };
      customers_of_account: {
        Args: {
          person: string;
        };
        Returns: string[];
      };
      delete_deployment: {
        Args: {
          owner: string;
          target: string;
        };
        Returns: boolean;
      };
      delete_workspace: {
        Args: {
          actor: string;
          ended?: string[];
          workspace: string;
        };
        Returns: Json;
      };
      deleted_deployments: {
        Args: {
          owner: string;
          workspace?: string;
        };
        Returns: unknown[];
      };
      deployment_workspace: {
        Args: {
          person: string;
          target: string;
          wanted: string;
        };
        Returns: string;
      };
      due_fleets: {
        Args: {
          at_most: number;
          basic_prices: string[];
          closed_at_most: number;
        };
        Returns: Json;
      };
      due_webhook_events: {
        Args: {
          at_most: number;
          events_at_most: number;
        };
        Returns: Json;
      };
      end_connection_test_embed: {
        Args: {
          actor: string;
          embed: string;
          target: string;
        };
        Returns: boolean;
      };
      end_connection_test_link: {
        Args: {
          actor: string;
          link: string;
          target: string;
        };
        Returns: boolean;
      };
      end_old_sessions: {
        Args: Record<never, never>;
        Returns: number;
      };
      end_session: {
        Args: {
          person: string;
          session: string;
        };
        Returns: boolean;
      };
      fleet_facts: {
        Args: {
          basic_prices: string[];
          workspace: string;
        };
        Returns: Json;
      };
      forget_code_tries: {
        Args: {
          subject: string;
          try_kind: string;
        };
        Returns: undefined;
      };
      forget_stripe_events: {
        Args: {
          at_most: number;
          before: string;
        };
        Returns: number;
      };
      forget_voided_password: {
        Args: {
          person: string;
        };
        Returns: undefined;
      };
      fresh_usage_reports: {
        Args: {
          reports: Json;
          workspace: string;
        };
        Returns: Json;
      };
      hand_over: {
        Args: {
          actor: string;
          person: string;
          workspace: string;
        };
        Returns: string;
      };
      has_confirmed_address: {
        Args: {
          person: string;
        };
        Returns: boolean;
      };
      has_other_owner: {
        Args: {
          person: string;
          workspace: string;
        };
        Returns: boolean;
      };
      has_password: {
        Args: {
          person: string;
        };
        Returns: boolean;
      };
      has_second_factor: {
        Args: {
          person: string;
        };
        Returns: boolean;
      };
      invitation_of: {
        Args: {
          invitation: string;
          of_send: number;
          person?: string;
        };
        Returns: unknown[];
      };
      invite: {
        Args: {
          actor: string;
          allowed: number;
          new_address: string;
          new_id: string;
          new_name?: string;
          new_role: string;
          workspace: string;
        };
        Returns: string;
      };
      is_anonymous: {
        Args: {
          person: string;
        };
        Returns: boolean;
      };
      is_workspace_name: {
        Args: {
          name: string;
        };
        Returns: boolean;
      };
      join_by_sso: {
        Args: {
          allowed: number;
          person: string;
        };
        Returns: string;
      };
      keep_connection_test: {
        Args: {
          actor: string;
          found_result: Json;
          target: string;
        };
        Returns: boolean;
      };
      keep_contact_message: {
        Args: {
          new_email: string;
          new_id: string;
          new_message: string;
          new_name: string;
          new_sender: string;
          new_topic: string;
        };
        Returns: string;
      };
      keep_embedded_connection_test: {
        Args: {
          embed: string;
          found_result: Json;
        };
        Returns: string;
      };
      keep_linked_connection_test: {
        Args: {
          found_result: Json;
          hash: string;
        };
        Returns: string;
      };
      keep_recovery_codes: {
        Args: {
          person: string;
        };
        Returns: undefined;
      };
      keep_support_message: {
        Args: {
          about?: string;
          about_version?: number;
          new_id: string;
          new_message: string;
          new_topic: string;
          owner: string;
          owner_email: string;
        };
        Returns: string;
      };
      keep_unsaved_changes: {
        Args: {
          fields_of_form: string[];
          new_changes: Json;
          owner: string;
          target?: string;
          workspace?: string;
        };
        Returns: boolean;
      };
      last_plan_end: {
        Args: {
          workspace: string;
        };
        Returns: unknown[];
      };
      leave_workspace: {
        Args: {
          actor: string;
          workspace: string;
        };
        Returns: string;
      };
      lock_workspaces_of: {
        Args: {
          person: string;
        };
        Returns: unknown[];
      };
      losses_by_sso: {
        Args: {
          act: string;
          actor: string;
          value: string;
          workspace: string;
        };
        Returns: string[];
      };
      mail_occasions: {
        Args: Record<never, never>;
        Returns: unknown[];
      };
      make_connection_test_embed: {
        Args: {
          actor: string;
          new_channel: string;
          new_label: string;
          new_origins: string[];
          target: string;
        };
        Returns: string;
      };
      make_connection_test_link: {
        Args: {
          actor: string;
          new_hash: string;
          new_label: string;
          target: string;
        };
        Returns: string;
      };
      may_now: {
        Args: {
          person: string;
          wanted: string;
          workspace: string;
        };
        Returns: boolean;
      };
      may_read_own: {
        Args: Record<never, never>;
        Returns: boolean;
      };
      meant_workspace: {
        Args: {
          person: string;
          wanted: string;
          workspace: string;
        };
        Returns: string;
      };
      member_may: {
        Args: {
          person: string;
          wanted: string;
          workspace: string;
        };
        Returns: boolean;
      };
      member_with_address: {
        Args: {
          actor: string;
          wanted: string;
          workspace: string;
        };
        Returns: string;
      };
      members_of: {
        Args: {
          actor: string;
          after_joined?: string;
          after_person?: string;
          workspace: string;
        };
        Returns: unknown[];
      };
      move_trial: {
        Args: {
          person: string;
          trial: string;
        };
        Returns: number;
      };
      my_trial: {
        Args: Record<never, never>;
        Returns: string;
      };
      my_workspaces: {
        Args: Record<never, never>;
        Returns: unknown[];
      };
      next_code_try: {
        Args: {
          most: number;
          subject: string;
          try_kind: string;
          window_seconds: number;
        };
        Returns: string;
      };
      note_alert_change: {
        Args: {
          action: string;
          actor: string;
          after?: Json;
          before?: Json;
          target: string;
          target_id?: string;
          workspace: string;
        };
        Returns: boolean;
      };
      note_answers: {
        Args: {
          answers: Json;
          workspace: string;
        };
        Returns: undefined;
      };
      note_audit: {
        Args: {
          action: string;
          actor: string;
          after?: Json;
          before?: Json;
          target?: string;
          target_id?: string;
          workspace: string;
        };
        Returns: undefined;
      };
      note_deployment_version: {
        Args: {
          new_note: string;
          noted_version: number;
          owner: string;
          target: string;
        };
        Returns: boolean;
      };
      note_missing_customer: {
        Args: {
          of_customer: string;
          ticket: number;
        };
        Returns: boolean;
      };
      note_passkey_use: {
        Args: {
          used_credential: string;
          workspace: string;
        };
        Returns: undefined;
      };
      note_providers: {
        Args: {
          person: string;
        };
        Returns: undefined;
      };
      note_rollout_change: {
        Args: {
          action: string;
          actor: string;
          after?: Json;
          target: string;
          target_id: string;
          workspace: string;
        };
        Returns: boolean;
      };
      note_server_change: {
        Args: {
          action: string;
          actor: string;
          after?: Json;
          target: string;
          target_id: string;
          workspace: string;
        };
        Returns: boolean;
      };
      note_sign_in: {
        Args: {
          person: string;
        };
        Returns: undefined;
      };
      note_sso_removal: {
        Args: {
          person: string;
          workspace: string;
        };
        Returns: undefined;
      };
      note_webhook_change: {
        Args: {
          action: string;
          actor: string;
          after?: Json;
          before?: Json;
          target: string;
          target_id?: string;
          workspace: string;
        };
        Returns: boolean;
      };
      open_fleet: {
        Args: {
          actor: string;
          basic_prices: string[];
          workspace: string;
        };
        Returns: Json;
      };
      own_workspace: {
        Args: Record<never, never>;
        Returns: string;
      };
      owns_too_many: {
        Args: {
          person: string;
        };
        Returns: boolean;
      };
      personal_workspace: {
        Args: {
          person: string;
        };
        Returns: string;
      };
      plan_quota: {
        Args: {
          of_plan: string;
        };
        Returns: unknown[];
      };
      plans_beside: {
        Args: {
          of_customer: string;
        };
        Returns: Json;
      };
      plans_of: {
        Args: {
          workspace: string;
        };
        Returns: unknown[];
      };
      queue_dispute_mail: {
        Args: {
          about: Json;
          dispute: string;
        };
        Returns: undefined;
      };
      recognise_customers: {
        Args: {
          listed: string[];
        };
        Returns: Json;
      };
      record_fresh_usage: {
        Args: {
          basic_prices: string[];
          fresh: Json;
          workspace: string;
        };
        Returns: Json;
      };
      record_subscriptions: {
        Args: {
          customer: Json;
          customer_subscriptions: Json;
          ticket: number;
        };
        Returns: boolean;
      };
      record_token_usage: {
        Args: {
          hash: string;
          reports: Json;
        };
        Returns: Json;
      };
      recovery_codes_left: {
        Args: {
          person: string;
        };
        Returns: number;
      };
      remove_approver_passkey: {
        Args: {
          actor: string;
          target: string;
          workspace: string;
        };
        Returns: boolean;
      };
      remove_deleted_deployments: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_ended_trials: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_expired: {
        Args: {
          at_most: number;
        };
        Returns: Json;
      };
      remove_expired_api_requests: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_expired_audit: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_expired_connection_tests: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_expired_invitations: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_expired_unsaved_changes: {
        Args: {
          at_most: number;
        };
        Returns: number;
      };
      remove_identity: {
        Args: {
          identity: string;
          kept_session?: string;
          person: string;
        };
        Returns: string;
      };
      remove_member: {
        Args: {
          actor: string;
          person: string;
          workspace: string;
        };
        Returns: string;
      };
      remove_personal_records: {
        Args: {
          ended?: string[];
          person: string;
          verified_email: string;
        };
        Returns: undefined;
      };
      rename_workspace: {
        Args: {
          actor: string;
          new_name: string;
          workspace: string;
        };
        Returns: string;
      };
      replace_recovery_codes: {
        Args: {
          hashes: string[];
          person: string;
        };
        Returns: boolean;
      };
      report_token_usage: {
        Args: {
          basic_prices: string[];
          hash: string;
          reports: Json;
        };
        Returns: Json;
      };
      require_second_factor_of_all: {
        Args: {
          actor: string;
          wanted: boolean;
          workspace: string;
        };
        Returns: string;
      };
      resend_invitation: {
        Args: {
          actor: string;
          invitation: string;
          workspace: string;
        };
        Returns: string;
      };
      restore_deployment: {
        Args: {
          allowed: number;
          owner: string;
          target: string;
        };
        Returns: string;
      };
      restore_model_configuration: {
        Args: {
          old_version: number;
          owner: string;
          saver: string;
          workspace?: string;
        };
        Returns: number;
      };
      return_recovery_code: {
        Args: {
          hash: string;
          person: string;
        };
        Returns: undefined;
      };
      revoke_api_token: {
        Args: {
          owner: string;
          target: string;
        };
        Returns: boolean;
      };
      revoke_workspace_token: {
        Args: {
          actor: string;
          target: string;
          workspace: string;
        };
        Returns: boolean;
      };
      role_may: {
        Args: {
          action: string;
          role: string;
        };
        Returns: boolean;
      };
      role_rights: {
        Args: Record<never, never>;
        Returns: unknown[];
      };
      save_deployment: {
        Args: {
          expected_version: number;
          new_name: string;
          new_options: Json;
          owner: string;
          restored?: number;
          saver?: string;
          target: string;
        };
        Returns: string;
      };
      save_model_configuration: {
        Args: {
          expected_version: number;
          new_instructions: string;
          new_model: string;
          new_transcription_model: string;
          new_voice: string;
          owner: string;
          saver: string;
          workspace?: string;
        };
        Returns: number;
      };
      save_reconciliation_place: {
        Args: {
          next_place: Json;
          seen: number;
        };
        Returns: boolean;
      };
      save_unchanged_deployment: {
        Args: {
          expected_version: number;
          new_name: string;
          new_options: Json;
          owner: string;
          saver?: string;
          seen: string;
          target: string;
        };
        Returns: string;
      };
      second_factors_of: {
        Args: {
          person: string;
        };
        Returns: string[];
      };
      session_in_limits: {
        Args: {
          begun: string;
          not_after: string;
          refreshed: string;
        };
        Returns: boolean;
      };
      session_lives: {
        Args: {
          person: string;
          session: string;
        };
        Returns: boolean;
      };
      sessions_of: {
        Args: {
          most?: number;
          person: string;
        };
        Returns: unknown[];
      };
      set_approvals_needed: {
        Args: {
          actor: string;
          wanted: number;
          workspace: string;
        };
        Returns: boolean;
      };
      set_deployment_progress: {
        Args: {
          done: boolean;
          owner: string;
          step: string;
          target: string;
        };
        Returns: boolean;
      };
      set_deployment_tick: {
        Args: {
          done: boolean;
          how: string;
          of_version: number;
          owner: string;
          step: string;
          target: string;
        };
        Returns: boolean;
      };
      set_server_address: {
        Args: {
          new_ipv4: string;
          new_ipv6: string;
          of_version: number;
          owner: string;
          target: string;
        };
        Returns: boolean;
      };
      set_token_allowance: {
        Args: {
          of_identity: string;
          owner: string;
          tokens?: number;
        };
        Returns: undefined;
      };
      set_usage_allowance: {
        Args: {
          basic_prices: string[];
          of_identity: string;
          owner: string;
          tokens?: number;
          workspace?: string;
        };
        Returns: boolean;
      };
      settle_api_request: {
        Args: {
          new_answer?: Json;
          settled_key: string;
          token: string;
        };
        Returns: undefined;
      };
      settle_fleets: {
        Args: {
          forgotten?: string[];
          known: Json;
          missed?: string[];
        };
        Returns: undefined;
      };
      settle_mails: {
        Args: {
          postponed: string[];
          refused: string[];
          taken: string[];
          untried: string[];
        };
        Returns: undefined;
      };
      settle_webhook_events: {
        Args: {
          settled: number[];
        };
        Returns: undefined;
      };
      site_quota: {
        Args: Record<never, never>;
        Returns: unknown[];
      };
      sso_address_hash: {
        Args: {
          address: string;
        };
        Returns: string;
      };
      sso_of_address: {
        Args: {
          address: string;
        };
        Returns: string;
      };
      sso_required: {
        Args: {
          address: string;
          workspace: string;
        };
        Returns: string;
      };
      sso_workspace: {
        Args: {
          address: string;
          provider: string;
        };
        Returns: string;
      };
      take_code_try: {
        Args: {
          most: number;
          subject: string;
          try_kind: string;
          window_seconds: number;
        };
        Returns: boolean;
      };
      take_sync_ticket: {
        Args: Record<never, never>;
        Returns: number;
      };
      token_holders: {
        Args: {
          workspace: string;
        };
        Returns: unknown[];
      };
      token_usage_statistics: {
        Args: {
          first_day: string;
          last_day: string;
          only_identity?: string;
          workspace?: string;
        };
        Returns: Json;
      };
      use_api_token: {
        Args: {
          hash: string;
          wanted?: string;
        };
        Returns: string;
      };
      use_recovery_code: {
        Args: {
          hash: string;
          person: string;
        };
        Returns: boolean;
      };
      use_workspace_token: {
        Args: {
          allowed: number;
          hash: string;
        };
        Returns: Json;
      };
      void_unconfirmed_password: {
        Args: {
          address: string;
          signing_up?: boolean;
        };
        Returns: undefined;
      };
      withdraw_invitation: {
        Args: {
          actor: string;
          invitation: string;
          workspace: string;
        };
        Returns: string;
      };
      workspace_plan: {
        Args: {
          basic_prices: string[];
          workspace: string;
        };
        Returns: string;
      };
      workspace_token_makers: {
        Args: {
          workspace: string;
        };
        Returns: unknown[];
      };
      workspaces_in_the_way: {
        Args: {
          person: string;
        };
        Returns: unknown[];
      };
      workspaces_where: {
        Args: {
          wanted: string;
        };
        Returns: string[];
      };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
