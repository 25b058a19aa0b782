export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
export type Database = {
  public: {
    Tables: {
      customers: {
        Row: {
          id: string;
          user_id: string | null;
          origin: string;
          email: string | null;
          sync_ticket: number;
          created_at: string;
        };
        Insert: {
          id: string;
          user_id?: string | null;
          origin: string;
          email?: string | null;
          sync_ticket?: number;
          created_at?: string;
        };
        Update: {
          id?: string;
          user_id?: string | null;
          origin?: string;
          email?: string | null;
          sync_ticket?: number;
          created_at?: string;
        };
        Relationships: [];
      };
      subscriptions: {
        Row: {
          id: string;
          customer_id: string;
          status: string;
          price_id: string;
          unit_amount: number | null;
          currency: string;
          billing_interval: string;
          current_period_end: string | null;
          cancel_at: string | null;
          ended_at: string | null;
          created_at: string;
        };
        Insert: {
          id: string;
          customer_id: string;
          status: string;
          price_id: string;
          unit_amount?: number | null;
          currency: string;
          billing_interval: string;
          current_period_end?: string | null;
          cancel_at?: string | null;
          ended_at?: string | null;
          created_at: string;
        };
        Update: {};
        Relationships: [];
      };
      stripe_events: {
        Row: { id: string; type: string; created_at: string; handled_at: string | null };
        Insert: { id: string; type: string; created_at: string; handled_at?: string | null };
        Update: { handled_at?: string | null };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      take_sync_ticket: { Args: never; Returns: number };
      record_subscriptions: {
        Args: { ticket: number; customer: Json; customer_subscriptions: Json };
        Returns: boolean;
      };
      claim_guest_purchases: {
        Args: { claimant: string; verified_email: string };
        Returns: number;
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};
